"""The arithmetic of the √d_k page in TeX, with the numbers of its state."""

import math

from core.variance.law import kurtosis
from core.variance.sampling import VarianceEstimate
from pages.ui.formulas import aligned
from pages.views.sqrt_dk import Row, Z


def tex(value: float, digits: int = 4) -> str:
    """Return a number for a formula, to some significant digits."""
    mantissa, _, exponent = f"{value:#.{digits}g}".rstrip(".").partition("e")
    return f"{mantissa} \\times 10^{{{int(exponent)}}}" if exponent else mantissa


def power_of_e(exponent: float) -> str:
    """Return e^exponent as a number for a formula, however large it is."""
    decimal = exponent / math.log(10)
    if abs(decimal) < 5:
        return tex(math.exp(exponent))
    return f"{10 ** (decimal % 1):.2f} \\times 10^{{{math.floor(decimal)}}}"


def theory(d_k: int) -> str:
    """Return why the variance is d_k, and what division by √d_k makes of it."""
    products = "\\sum_{i=1}^{d_k} \\mathbb{E}[q_i^2]\\,\\mathbb{E}[k_i^2]"
    return aligned(
        [
            ("\\operatorname{Var}(q\\cdot k)", products, f"{d_k} \\cdot 1 \\cdot 1 = {d_k}"),
            "\\operatorname{Var}\\!\\left(\\frac{q\\cdot k}{\\sqrt{d_k}}\\right) "
            f"&= \\frac{{{d_k}}}{{(\\sqrt{{{d_k}}})^2}} = 1",
        ]
    )


def measured(d_k: int, before: VarianceEstimate, after: VarianceEstimate) -> str:
    """Return the measured variances and their 95 % intervals, and whether those hold the truth."""
    return aligned(
        f"{name}: \\; \\hat v &= \\frac{{1}}{{N}} \\sum s^2 = {tex(estimate.variance)} \\\\ "
        f"&\\in [{tex(estimate.low)},\\, {tex(estimate.high)}] {_holds(estimate, truth)} {truth}"
        for name, estimate, truth in (("q\\cdot k", before, d_k), ("\\tfrac{q\\cdot k}{\\sqrt{d_k}}", after, 1))
    )


def interval(d_k: int, before: VarianceEstimate) -> str:
    """Return how the interval is made: with the kurtosis of q·k, not with that of a normal law."""
    kappa = kurtosis(d_k)
    reach = Z * math.sqrt((kappa - 1) / before.n)
    return aligned(
        [
            f"\\kappa &= 3 + \\frac{{6}}{{{d_k}}} = {tex(kappa)}",
            f"z\\,\\sqrt{{\\frac{{\\kappa - 1}}{{N}}}} &= {tex(Z, 3)}"
            f"\\sqrt{{\\frac{{{tex(kappa - 1)}}}{{{before.n}}}}} = {tex(reach, 3)}",
            f"\\frac{{\\hat v}}{{1 \\pm {tex(reach, 3)}}} &= {tex(before.low)},\\; {tex(before.high)}",
        ]
    )


def top_two(d_k: int, row: Row) -> str:
    """Return the ratio of the two largest weights of the row, which is e to the gap of their scores."""
    first, second = row.scores[:2]
    gap = first - second
    small = gap / math.sqrt(d_k)
    ratio = "\\frac{a_{(1)}}{a_{(2)}}"
    return aligned(
        [
            f"q\\cdot k: \\; {ratio} &= e^{{{tex(first)} - {_signed(second)}}} = e^{{{tex(gap)}}} = {power_of_e(gap)}",
            f"a_{{(1)}} &= {row.raw[0]:.4f}",
            f"\\tfrac{{q\\cdot k}}{{\\sqrt{{d_k}}}}: \\; {ratio} &= e^{{{tex(gap)}/\\sqrt{{{d_k}}}}} "
            f"= e^{{{tex(small)}}} = {power_of_e(small)}",
            f"a_{{(1)}} &= {row.scaled[0]:.4f}",
        ]
    )


def _holds(estimate: VarianceEstimate, truth: int) -> str:
    return "\\ni" if estimate.low <= truth <= estimate.high else "\\not\\ni"


def _signed(value: float) -> str:
    return f"({tex(value)})" if value < 0 else tex(value)
