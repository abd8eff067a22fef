"""Certificates for servers of tests."""

import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


def self_signed(host: str, folder: Path) -> Path:
    """A file with a key and a certificate for the host, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName(host)])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    made = made.public_key(key.public_key()).serial_number(1).add_extension(names, critical=False)
    signed = made.not_valid_before(now - DAY).not_valid_after(now + DAY).sign(key, hashes.SHA256())
    encoding, none = serialization.Encoding.PEM, serialization.NoEncryption()
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, none)
    path = folder / f"{host}.pem"
    path.write_bytes(private + signed.public_bytes(encoding))
    return path
