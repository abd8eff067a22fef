"""A session as PDF: its HTML, printed by a browser of this machine."""

from forager.settings import Settings
from graphs.reports.exports.offline_sheet import open_sheet

FOOTER = (
    '<p style="width: 100%; font: 8px sans-serif; color: #555; text-align: center">'
    '<span class="pageNumber"></span> / <span class="totalPages"></span></p>'
)
HTML_INSTEAD = "Or export as html and print that."


async def print_pdf(page: str, settings: Settings) -> bytes:
    """The page as PDF, A4, with its structure and outline. Raises UsageError without a browser."""
    async with open_sheet(settings, "PDF", HTML_INSTEAD) as sheet:
        await sheet.set_content(page)
        return await sheet.pdf(
            format="A4",
            margin={"top": "18mm", "bottom": "20mm", "left": "18mm", "right": "18mm"},
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
            tagged=True,
            outline=True,
        )
