"""An HTTP/2 server over TLS on loopback, with a certificate for one host name."""

import socket
import ssl
from contextlib import suppress
from pathlib import Path

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived

from tests.certificates import self_signed
from tests.servers import Served


class Http2Site(Served):
    """Answers every path with one page while entered; counts connections."""

    def __init__(self, host: str, folder: Path, page: bytes) -> None:
        self.certificate = self_signed(host, folder)
        self.page = page
        self.paths: list[str] = []
        self.connections = 0
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(self.certificate)
        self._tls.set_alpn_protocols(["h2"])
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:  # shut down
                self._listening.close()
                return
            self.connections += 1
            with connection, suppress(OSError):  # who does not trust us hangs up
                connection.settimeout(5)
                with self._tls.wrap_socket(connection, server_side=True) as secure:
                    self._answer(secure)

    def _stop(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)

    def _answer(self, secure: ssl.SSLSocket) -> None:
        spoken = H2Connection(H2Configuration(client_side=False, header_encoding=None))
        spoken.initiate_connection()
        secure.sendall(spoken.data_to_send())
        while data := secure.recv(65_536):
            for event in spoken.receive_data(data):
                if isinstance(event, RequestReceived):
                    self.paths.append(dict(event.headers)[b":path"].decode())
                    headers = [(":status", "200"), ("content-type", "text/html")]
                    spoken.send_headers(event.stream_id, headers)
                    spoken.send_data(event.stream_id, self.page, end_stream=True)
            secure.sendall(spoken.data_to_send())
