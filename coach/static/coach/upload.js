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
  const key = (file) => `upload ${file.name} ${file.size} ${file.lastModified}`;
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const say = (text) => { if (part("said").textContent !== text) part("said").textContent = text; };
  const later = (ms) => new Promise((go) => { setTimeout(go, ms); addEventListener("online", go, { once: true }); });
  class Refused extends Error {} // it will not pass by itself
  class Busy extends Error {} // another page sends the same file, or the server still waits for a lost connection

  // What a piece takes longer than a minute is kept by the server as far as it came.
  const send = (method, address, headers, body) => fetch(address, {
    method,
    headers: { "X-CSRFToken": token, "Content-Type": "application/offset+octet-stream", ...headers },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  const offset = async (answer) => {
    if (answer.ok && answer.headers.has("Upload-Offset")) return Number(answer.headers.get("Upload-Offset"));
    if (answer.ok) throw new Refused(words("signedOut"));
    if (answer.status === 409) throw new Busy();
    if (answer.status >= 500 && answer.status !== 507) throw new Error("lost");
    const said = await answer.json().catch(() => null);
    throw new Refused(said?.sentence ?? words("notTaken"));
  };

  // The address of what is there of a file already, and how much that is; or of a new upload.
  const known = async (file) => {
    const address = localStorage.getItem(key(file));
    const answer = address && await send("HEAD", address);
    return answer && answer.status !== 404 ? { address, at: await offset(answer) } : null;
  };
  const begun = async (file) => {
    const headers = { "Upload-Length": file.size, "Upload-Name": encodeURIComponent(file.name) };
    const answer = await send("POST", uploads, headers, file.size <= piece ? file : null);
    const there = { at: await offset(answer), address: answer.headers.get("Location") };
    localStorage.setItem(key(file), there.address);
    return there;
  };
  const upload = async (file, moved) => {
    for (let wait = 1000; ; wait = Math.min(wait * 2, 15_000)) {
      try {
        const old = await known(file);
        const there = old ?? await begun(file);
        moved(there.at, old ? 0 : there.at);
        while (there.at < file.size) {
          const body = file.slice(there.at, there.at + Number(piece));
          there.at = await offset(await send("PATCH", there.address, { "Upload-Offset": there.at }, body));
          moved(there.at, body.size);
          wait = 1000;
          say("");
        }
        return there.address.split("/").at(-2);
      } catch (error) {
        if (error instanceof Refused) throw error;
        if (!(error instanceof Busy)) say(words("offline"));
        await later(wait);
      }
    }
  };

  // All files of a drop with one bar; then the form itself, with their ids in place of the files.
  const sendAll = async (files) => {
    const total = files.reduce((sum, file) => sum + file.size, 0);
    const began = performance.now();
    let [before, sent] = [0, 0]; // bytes of the files that are done, and those that went over the line just now
    const show = (at, fresh) => {
      sent += fresh;
      const done = before + at;
      const speed = sent / (performance.now() - began) * 1000;
      const left = (total - done) / speed;
      const span = left < 90 ? words("seconds", { n: Math.ceil(left) }) : words("minutes", { n: Math.round(left / 60) });
      const rest = sent ? words("rest", { speed: megabytes(speed), left: span }) : "";
      part("bar").value = total ? done / total : 1;
      part("rate").textContent = words("sent", { sent: megabytes(done), total: megabytes(total) }) + rest;
    };
    show(0, 0);
    const ids = [];
    for (const file of files) {
      ids.push(await upload(file, show));
      before += file.size;
    }
    files.forEach((file) => localStorage.removeItem(key(file)));
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
