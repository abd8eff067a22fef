"""What a session shows, from stored things: report, events, trace, turns, site map, exports."""
