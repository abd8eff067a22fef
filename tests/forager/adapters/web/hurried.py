"""The process that reads PDFs, when it has no time."""

from forager.adapters.web.read import pdf_process
from forager.adapters.web.reader_process import serve_requests

if __name__ == "__main__":
    pdf_process.MAX_SECONDS = 0.05
    serve_requests(pdf_process.extract_pdf)
