"""Saves every page at 1280 and 390 px.

python -m tests.browser.screenshots BASE_URL USER PASSWORD OUTDIR [light|dark]
"""

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import FLAGS, executable

WIDTHS = {1280: 900, 390: 844}
PAGES = {
    "today": "/today/",
    "week": "/week/",
    "load": "/load/",
    "trends": "/trends/180d/",
    "records-cycling": "/records/cycling/",
    "records-running": "/records/running/",
    "recovery": "/recovery/",
    "body": "/body/",
    "plan": "/plan/",
    "activities": "/activities/",
    "calendar": "/activities/calendar/",
    "year": "/activities/year/",
    "found": "/activities/?sport=cycling&sort=longest",
    "import": "/import/",
    "line": "/line/",
    "settings": "/settings/",
}


def main(base: str, user: str, password: str, folder: str, scheme: str = "light") -> None:
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        for width, height in WIDTHS.items():
            shoot(browser, base.rstrip("/"), user, password, out=out, width=width, height=height, scheme=scheme)
        browser.close()


def shoot(
    browser: Browser, base: str, user: str, password: str, *, out: Path, width: int, height: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{base}/login/")
    save(page, out / f"login-{width}-{scheme}.png")
    page.fill("[name=username]", user)
    page.fill("[name=password]", password)
    page.click("button")
    for name, address in PAGES.items():
        page.goto(base + address)
        save(page, out / f"{name}-{width}-{scheme}.png")
    page.goto(f"{base}/week/")
    page.get_by_role("link", name="Earlier").click()
    page.wait_for_load_state()
    save(page, out / f"week-before-{width}-{scheme}.png")
    page.goto(f"{base}/activities/")
    first = page.locator("a.entry").first
    if first.count():
        first.click()
        page.wait_for_load_state()
        save(page, out / f"activity-{width}-{scheme}.png")
    context.close()


def save(page: Page, path: Path) -> None:
    """Save the whole page, with what is fixed to the bottom at its bottom."""
    size = page.viewport_size or {"width": 1280, "height": 900}
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": max(height, size["height"])})
    page.screenshot(path=path)
    page.set_viewport_size(size)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
