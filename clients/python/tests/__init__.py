"""Tests of the client against a real world: GALAXYD_URL serves it, with a manual clock and GALAXYD_ADMIN_KEY."""
