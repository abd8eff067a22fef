"""A session as PDF: its HTML, printed by a browser of this machine."""

from typing import Final

from forager.adapters.browser.process.chromium import find_chromium
from forager.adapters.browser.process.launch import launch_chromium, sandbox_mend
from forager.errors import UsageError
from forager.settings import Settings

OFFLINE_ARGUMENTS: Final = ["--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND"]
"""The page fetches nothing, and these keep the browser from fetching anything itself."""
FOOTER = (
    '<p style="width: 100%; font: 8px sans-serif; color: #555; text-align: center">'
    '<span class="pageNumber"></span> / <span class="totalPages"></span></p>'
)
HTML_INSTEAD = "Or export as html and print that."


def can_print(settings: Settings) -> bool:
    """Whether this machine has a browser that prints."""
    return find_chromium(settings.chromium) is not None


async def print_pdf(page: str, settings: Settings) -> bytes:
    """The page as PDF, A4, with its structure and outline. Raises UsageError without a browser."""
    browser = find_chromium(settings.chromium)
    if browser is None:
        raise UsageError(
            "PDF export needs Chromium or Chrome, and none was found.",
            f"Install one, or set FORAGER_CHROMIUM to it. {HTML_INSTEAD}",
        )
    from playwright.async_api import Error, async_playwright  # noqa: PLC0415  # takes half a second

    try:
        async with async_playwright() as driver:
            running = await launch_chromium(driver, browser, settings, args=OFFLINE_ARGUMENTS)
            sheet = await running.new_page(java_script_enabled=False, offline=True)
            await sheet.set_content(page)
            printed = await sheet.pdf(
                format="A4",
                margin={"top": "18mm", "bottom": "20mm", "left": "18mm", "right": "18mm"},
                print_background=True,
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=FOOTER,
                tagged=True,
                outline=True,
            )
            await running.close()
    except Error as error:
        raise UsageError(
            f"{browser} could not print the page: {_first_line(error.message)}",
            f"Install its libraries, or set FORAGER_CHROMIUM to another."
            f"{sandbox_mend(settings)} {HTML_INSTEAD}",
        ) from error
    return printed


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]
