"""Units: base units inside the engine (byte, second, watt, token, FLOP), conversions at its edge.

Data sheets speak GB (10^9 bytes), allocators speak GiB (2^30); the two are never mixed.
"""

from __future__ import annotations

from typing import Final

KB: Final = 10**3
MB: Final = 10**6
GB: Final = 10**9
TB: Final = 10**12

KIB: Final = 2**10
MIB: Final = 2**20
GIB: Final = 2**30
TIB: Final = 2**40

TERA: Final = 10**12
GIGA: Final = 10**9

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 86_400

BITS_PER_BYTE: Final = 8

DTYPE_BYTES: Final[dict[str, float]] = {
    "fp32": 4,
    "tf32": 4,
    "bf16": 2,
    "fp16": 2,
    "fp8": 1,
    "mxfp8": 1,
    "int8": 1,
    "nvfp4": 0.5,
    "int4": 0.5,
}
"""Bytes of one element of a plain number format, without scales [byte]."""

_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB")


def gib(size_bytes: float) -> float:
    """Bytes as GiB (2^30 bytes) [GiB]."""
    return size_bytes / GIB


def gb(size_bytes: float) -> float:
    """Bytes as GB (10^9 bytes) [GB]."""
    return size_bytes / GB


def bits_to_bytes(bits: float) -> float:
    """Bits, as networks count them, in bytes [byte]."""
    return bits / BITS_PER_BYTE


def ceil_div(dividend: int, divisor: int) -> int:
    """Whole number of ``divisor``-sized pieces that hold ``dividend`` [–]."""
    return -(-dividend // divisor)


def format_bytes(size_bytes: float, *, binary: bool = True) -> str:
    """Bytes for reading: ``131.4 GiB``, or ``141.1 GB`` with ``binary=False``."""
    step = KIB if binary else KB
    names = _BINARY if binary else _DECIMAL
    value = float(size_bytes)
    for name in names[:-1]:
        if abs(value) < step:
            return f"{value:.0f} {name}" if name == "B" else f"{value:.1f} {name}"
        value /= step
    return f"{value:.1f} {names[-1]}"


def format_apart(size_bytes: float, other_bytes: float, *, binary: bool = True) -> tuple[str, str]:
    """Two amounts of bytes for reading, with as many decimals as it takes to see that they differ."""
    step, names = (KIB, _BINARY) if binary else (KB, _DECIMAL)
    power = 0
    while power < len(names) - 1 and min(size_bytes, other_bytes) >= step ** (power + 1):
        power += 1
    first, second = size_bytes / step**power, other_bytes / step**power
    digits = digits_apart(first, second)
    return f"{first:,.{digits}f} {names[power]}", f"{second:,.{digits}f} {names[power]}"


def digits_apart(first: float, second: float, *, least: int = 1, most: int = 3) -> int:
    """Decimals it takes to see that two numbers differ [–]."""
    return next((n for n in range(least, most) if f"{first:.{n}f}" != f"{second:.{n}f}"), most)


def format_count(count: float) -> str:
    """A count for reading: ``8.03 B`` (10^9), ``494 M`` (10^6), ``1.03 T`` (10^12)."""
    for size, name in ((TERA, "T"), (GIGA, "B"), (MB, "M"), (KB, "k")):
        if abs(count) >= size:
            return f"{count / size:.3g} {name}"
    return f"{count:.0f}"


def format_seconds(seconds: float) -> str:
    """A duration for reading: ``850 ms``, ``42 s``, ``3.5 h``, ``12 d``."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 2 * MINUTE:
        return f"{seconds:.3g} s"
    if seconds < 2 * HOUR:
        return f"{seconds / MINUTE:.3g} min"
    if seconds < 2 * DAY:
        return f"{seconds / HOUR:.3g} h"
    return f"{seconds / DAY:.3g} d"
