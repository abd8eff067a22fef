"""The process that reads PDFs, when it has no time."""

from forager.adapters.web.read import pdf_process
from forager.adapters.web.reader_process import serve

if __name__ == "__main__":
    pdf_process.SECONDS = 0.05
    serve(pdf_process.read)
