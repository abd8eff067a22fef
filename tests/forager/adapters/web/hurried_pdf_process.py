"""The PDF process with a very short time limit."""

from forager.adapters.web.read import pdf_process
from forager.adapters.web.reader_process import serve_requests

if __name__ == "__main__":
    pdf_process.MAX_SECONDS = 0.05
    serve_requests(pdf_process.extract_pdf)
