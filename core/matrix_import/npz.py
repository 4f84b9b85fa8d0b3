"""A matrix out of a ``.npz`` archive: its arrays are listed from their headers, and one of them is read.

A zip can lie about sizes, so no member is unpacked further than its header and what that header declares, which has
been bounded before. Only stored and deflated members are opened: the others unpack without a bound.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import InputError, require_choice
from core.matrix_import.npy import MAX_PREFIX, Header, read_header, require_matrix, understand_npy
from core.matrix_import.understood import StoredArray, Understood

MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
MAX_MEMBERS = 64

# All that zipfile and zlib raise on hostile bytes; RuntimeError is an encrypted member or an unknown method.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    LookupError,
    OverflowError,
)


@dataclass(frozen=True)
class _Member:
    info: zipfile.ZipInfo
    header: Header

    @property
    def name(self) -> str:
        return self.info.filename.removesuffix(".npy")


def understand_npz(data: bytes, array: str | None, index: Sequence[int] | None, name: str) -> Understood:
    """Read one array of an archive: ``array`` by its name, or the first that makes a matrix, as a doubt.

    Raises ``InputError`` ("damaged", "members", "no_arrays", "choice" and those of ``understand_npy``).
    """
    archive = _open(data, name)
    members = _members(archive, name)
    if array is not None:
        require_choice("array", array, tuple(member.name for member in members))
        members_asked = [member for member in members if member.name == array][:1]
    else:
        members_asked = members
    chosen, understood = _first_read(archive, members_asked, index, name)
    return replace(
        understood,
        source="npz",
        arrays=tuple(StoredArray(member.name, member.header.shape, member.header.dtype) for member in members),
        array=chosen.name,
        doubts=understood.doubts + (("array",) if array is None and len(members) > 1 else ()),
    )


def _first_read(
    archive: zipfile.ZipFile, members: Sequence[_Member], index: Sequence[int] | None, name: str
) -> tuple[_Member, Understood]:
    """Return the first member that makes a matrix; if none does, raise what is wrong with the first."""
    refusals = []
    for member in members:
        try:
            require_matrix(member.header, index, name)
            return member, understand_npy(_unpack(archive, member.info, member.header.end, name), index, name)
        except InputError as refusal:
            refusals.append(refusal)
    raise refusals[0]


def _open(data: bytes, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except _DAMAGE:
        raise InputError("damaged", name=name, kind=".npz") from None


def _members(archive: zipfile.ZipFile, name: str) -> list[_Member]:
    infos = [info for info in archive.infolist() if info.filename.endswith(".npy")]
    if not infos:
        raise InputError("no_arrays", name=name)
    if len(infos) > MAX_MEMBERS:
        raise InputError("members", name=name, got=len(infos), limit=MAX_MEMBERS)
    return [_Member(info, read_header(_unpack(archive, info, MAX_PREFIX, name), name)) for info in infos]


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, size: int, name: str) -> bytes:
    """Return at most the first ``size`` bytes of a member."""
    try:
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise zipfile.BadZipFile
        with archive.open(info) as stream:
            return stream.read(size)
    except _DAMAGE:
        raise InputError("damaged", name=name, kind=".npz") from None
