// The import page: files go up in pieces and go on where they were; without this the form sends them by itself.
"use strict";
(() => {
  const form = document.querySelector("[data-drop]");
  const part = (name) => form.querySelector(`[data-${name}]`);
  const [field, button] = [form.querySelector("[type=file]"), form.querySelector("button")];
  const { uploads, piece, mostFiles } = form.dataset;
  // What is said stands on the form, in the language of its reader, with {names} for values.
  const words = (name, values = {}) => form.dataset[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  const KEPT_MS = 2 * 24 * 3600 * 1000; // the server keeps what nobody goes on with for two days
  const key = (file) => `upload ${file.name} ${file.size} ${file.lastModified}`;
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const say = (text) => { if (part("said").textContent !== text) part("said").textContent = text; };
  const later = (ms) => new Promise((go) => { setTimeout(go, ms); addEventListener("online", go, { once: true }); });
  class Refused extends Error {}

  // One request. It fails when nothing moves for a minute, as with a phone between two networks.
  const send = (method, address, headers, body, moved) => new Promise((answer, fail) => {
    const call = new XMLHttpRequest();
    let watch;
    const alive = () => { clearTimeout(watch); watch = setTimeout(() => call.abort(), 60_000); };
    call.open(method, address);
    const all = { "X-CSRFToken": token, "Content-Type": "application/offset+octet-stream", ...headers };
    for (const [name, value] of Object.entries(all)) call.setRequestHeader(name, value);
    call.upload.onprogress = (event) => { alive(); moved(event.loaded); };
    call.onload = () => answer(call);
    call.onerror = call.onabort = () => fail(new Error("lost"));
    call.onloadend = () => clearTimeout(watch);
    alive();
    call.send(body);
  });

  // How far the file is, by an answer; raises Refused for what does not pass by itself.
  const offset = (call) => {
    const at = call.getResponseHeader("Upload-Offset");
    if (at !== null && (call.status < 300 || call.status === 409)) return Number(at);
    if (call.status < 300) throw new Refused(words("signedOut"));
    if (call.status >= 500 && call.status !== 507) throw new Error("lost");
    const ours = call.getResponseHeader("Content-Type") === "application/json";
    throw new Refused(ours ? JSON.parse(call.response).sentence : words("notTaken"));
  };

  // The address of what is there of a file already, and how much that is; or of a new upload. Nothing is sent
  // beside another page, or while the server still waits for a connection that is lost: that piece would be refused.
  const known = async (file) => {
    const address = localStorage.getItem(key(file))?.split(" ")[1];
    if (!address) return null;
    for (;;) {
      const call = await send("HEAD", address);
      if (call.status === 404) return null;
      if (call.status !== 409) return { address, at: offset(call) };
      await later(1000);
    }
  };
  const begun = async (file, moved) => {
    const headers = { "Upload-Length": file.size, "Upload-Name": encodeURIComponent(file.name) };
    const call = await send("POST", uploads, headers, file.size <= piece ? file : null, moved);
    const there = { at: offset(call), address: call.getResponseHeader("Location") };
    localStorage.setItem(key(file), `${Date.now()} ${there.address}`);
    return there;
  };
  const upload = async (file, moved) => {
    for (let wait = 1000; ; wait = Math.min(wait * 2, 15_000)) {
      try {
        let there = await known(file);
        if (there) moved(there.at, { free: true });
        there ??= await begun(file, moved);
        while (there.at < file.size) {
          const body = file.slice(there.at, there.at + Number(piece));
          const call = await send("PATCH", there.address, { "Upload-Offset": there.at }, body, (sent) => moved(there.at + sent));
          there.at = offset(call);
          if (call.status === 409) there = await known(file) ?? await begun(file, moved);
          wait = 1000;
          say("");
        }
        moved(file.size);
        return there.address.split("/").at(-2);
      } catch (error) {
        if (error instanceof Refused) throw error;
        say(words("offline"));
        await later(wait);
      }
    }
  };

  // All files of a drop with one bar; then the form itself, with their ids in place of the files.
  const sendAll = async (files) => {
    const total = files.reduce((sum, file) => sum + file.size, 0);
    const began = performance.now();
    let [before, last, free, shown] = [0, 0, 0, -1];
    const show = (now, isFree) => {
      if (isFree) free += now - last;
      last = now;
      const elapsed = (performance.now() - began) / 1000;
      if (elapsed - shown < 0.5 && now < total) return;
      shown = elapsed;
      const speed = (now - free) / elapsed;
      const left = (total - now) / speed;
      const span = left < 90 ? words("seconds", { n: Math.ceil(left) }) : words("minutes", { n: Math.round(left / 60) });
      const rest = speed > 0 ? words("rest", { speed: megabytes(speed), left: span }) : "";
      part("bar").value = total ? now / total : 1;
      part("rate").textContent = words("sent", { sent: megabytes(now), total: megabytes(total) }) + rest;
    };
    show(0);
    const ids = [];
    for (const file of files) {
      ids.push(await upload(file, (bytes, { free: isFree } = {}) => show(before + bytes, isFree)));
      before += file.size;
    }
    [part("ids").value, field.value] = [ids.join(" "), ""];
    form.submit();
  };
  const refusal = ({ length }) => (length > mostFiles ? words("tooMany", { n: length, most: mostFiles }) : "");
  const busy = (is) => { button.disabled = is; part("sending").hidden = !is; };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const files = [...field.files];
    say(refusal(files));
    if (button.disabled || refusal(files)) return;
    busy(true);
    sendAll(files).catch((error) => { say(error.message); busy(false); });
  });
  addEventListener("pageshow", () => busy(false));
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith("upload ") && Date.now() - parseInt(localStorage.getItem(name), 10) > KEPT_MS) localStorage.removeItem(name);
  }

  // The whole page takes files and puts them into the form's own field.
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) form.classList.remove("over"); });
  document.addEventListener("drop", (event) => {
    form.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    field.files = event.dataTransfer.files;
    form.requestSubmit();
  });
})();
