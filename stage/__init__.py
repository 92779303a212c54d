"""The live stage: panels, player and curves in the browser, fed by a route of their own."""
