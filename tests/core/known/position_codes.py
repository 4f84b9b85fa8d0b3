"""The sinusoidal code. Identities hold up to the rounding of float64; wavelengths are known to a thousandth."""

from tests.core.known import Known

KNOWN = {
    "000-025": Known("correct", {"error": (0, 1e-12)}),
    "000-026": Known("correct", {"error": (0, 1e-12), "rows": (123, 0)}),
    "000-027": Known("correct", {"error": (0, 1e-12), "squares": ((32, 32), 1e-12), "width": (64, 0)}),
    "000-028": Known("imprecise", {"first": (1, 0), "last": (0.010091, 5e-7), "wavelength": (6.283185, 5e-7)}),
    "000-029": Known(
        "imprecise",
        {
            "by_width": ((135.367, 462.218, 584.028, 605.943, 622.68152), 5e-4),
            "notes": (622.68152, 5e-6),
            "paper": (60611.477, 5e-4),
            "half_minus_one": (62831.853, 5e-4),
            "limit": (628.3185, 5e-5),
            "meant": (62831.85, 5e-3),
        },
    ),
}
