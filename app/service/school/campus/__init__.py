"""The use cases of campus systems that speak LTI 1.3."""

from app.service.school.campus.whole import CampusCases

__all__ = ["CampusCases"]
