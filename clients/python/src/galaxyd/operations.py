"""The operations of the API as functions that make calls.

Generated from the OpenAPI document by `npm run documents`; do not edit by hand.

A call is sent by Client.call, AsyncClient.call or as a part of a batch.
"""

from __future__ import annotations

from typing import Any, Literal

from . import shapes
from .calls import Call, Command, path_of, present, with_query


def create_player(
    *,
    name: str,
    is_bot: bool | None = None,
) -> Command[shapes.Player | shapes.CreatedPlayer, shapes.PlayerCreated]:
    """Creates the one human player or a bot, or returns the existing one."""
    return Command("POST", "/api/game/player", present(name=name, isBot=is_bot))


def get_state(player_id: str) -> Call[shapes.Player]:
    """Returns a player with all planets, fleets and research."""
    return Call("GET", path_of("/api/game/state/{player_id}", player_id=player_id))


def get_planets(player_id: str) -> Call[list[shapes.Planet]]:
    """Returns all planets of a player with full details."""
    return Call("GET", path_of("/api/game/planets/{player_id}", player_id=player_id))


def get_planet(planet_id: str) -> Call[shapes.PlanetView]:
    """Returns a planet with buildings, ships and owner."""
    return Call("GET", path_of("/api/game/planet/{planet_id}", planet_id=planet_id))


def get_system(galaxy: int, system: int) -> Call[shapes.SystemView]:
    """Returns a star system with all of its planets."""
    return Call("GET", path_of("/api/game/galaxy/{galaxy}/system/{system}", galaxy=galaxy, system=system))


def get_galaxy(galaxy: int) -> Call[shapes.GalaxyOverview]:
    """Returns an overview of a galaxy: for each system, who owns planets and which are free."""
    return Call("GET", path_of("/api/game/galaxy/{galaxy}", galaxy=galaxy))


def create_second_starter(player_id: str) -> Command[shapes.Planet, shapes.PlanetTaken]:
    """Gives a player its second starter planet."""
    return Command("POST", path_of("/api/game/planet/starter/{player_id}", player_id=player_id), {})


def colonize_planet(planet_id: str, *, player_id: str) -> Command[shapes.Planet, shapes.PlanetTaken]:
    """Takes an unoccupied planet without a fleet, for development."""
    return Command(
        "POST",
        path_of("/api/game/planet/{planet_id}/colonize", planet_id=planet_id),
        present(playerId=player_id),
    )


def launch_fleet(
    *,
    player_id: str,
    mission: shapes.Mission,
    origin_planet_id: str,
    target_planet_id: str,
    ships: list[shapes.ShipsToSend],
    resources: shapes.LaunchRequestResources | None = None,
    drive: shapes.DriveName | None = None,
) -> Command[shapes.Launch, shapes.FleetLaunched]:
    """Launches a fleet on a mission."""
    return Command(
        "POST",
        "/api/fleet/launch",
        present(
            playerId=player_id,
            mission=mission,
            originPlanetId=origin_planet_id,
            targetPlanetId=target_planet_id,
            ships=ships,
            resources=resources,
            drive=drive,
        ),
    )


def get_fleets(player_id: str) -> Call[list[shapes.Fleet]]:
    """Returns all fleets of a player that are in flight."""
    return Call("GET", path_of("/api/fleet/player/{player_id}", player_id=player_id))


def get_seen_fleets(planet_id: str, *, cursor: str | None = None) -> Call[shapes.SeenFleets]:
    """Returns the flights of others that a planet sees, on their way out and back."""
    return Call("GET", with_query(path_of("/api/fleet/seen/{planet_id}", planet_id=planet_id), cursor=cursor))


def recall_fleet(fleet_id: str, *, player_id: str) -> Command[shapes.Fleet, shapes.FleetRecalled]:
    """Recalls an outbound fleet."""
    return Command("POST", path_of("/api/fleet/{fleet_id}/recall", fleet_id=fleet_id), present(playerId=player_id))


def dismiss_fleet(fleet_id: str, *, player_id: str) -> Command[shapes.FleetRecalled, shapes.FleetRecalled]:
    """Sends home a fleet that supports a planet of the player."""
    return Command("POST", path_of("/api/fleet/{fleet_id}/dismiss", fleet_id=fleet_id), present(playerId=player_id))


def simulate_launch(
    *,
    origin_planet_id: str,
    target_planet_id: str,
    ships: list[shapes.ShipsToSend],
    player_id: str | None = None,
    mission: shapes.Mission | None = None,
    resources: shapes.SimulateRequestResources | None = None,
    drive: shapes.DriveName | None = None,
) -> Call[shapes.Simulation]:
    """Simulates a launch with each drive, without launching anything."""
    return Call(
        "POST",
        "/api/fleet/simulate",
        present(
            playerId=player_id,
            mission=mission,
            originPlanetId=origin_planet_id,
            targetPlanetId=target_planet_id,
            ships=ships,
            resources=resources,
            drive=drive,
        ),
    )


def make_offer(
    *,
    player_id: str,
    planet_id: str,
    give: shapes.OfferRequestGive,
    want: shapes.OfferRequestWant,
    h2_max: int,
    to_player_id: str | None = None,
    seconds: int | None = None,
) -> Command[shapes.Offer, shapes.OfferMade]:
    """Offers units of a resource for units of another one."""
    return Command(
        "POST",
        "/api/market/offer",
        present(
            playerId=player_id,
            planetId=planet_id,
            give=give,
            want=want,
            h2Max=h2_max,
            toPlayerId=to_player_id,
            seconds=seconds,
        ),
    )


def take_offer(offer_id: str, *, player_id: str, planet_id: str) -> Command[shapes.AgreedTrade, shapes.GoodsSent]:
    """Takes an offer: the planet pays and receives."""
    return Command(
        "POST",
        path_of("/api/market/offer/{offer_id}/take", offer_id=offer_id),
        present(playerId=player_id, planetId=planet_id),
    )


def withdraw_offer(offer_id: str, *, player_id: str) -> Command[shapes.WithdrawnOffer, shapes.StocksAfter]:
    """Ends an offer of the player."""
    return Command(
        "POST",
        path_of("/api/market/offer/{offer_id}/withdraw", offer_id=offer_id),
        present(playerId=player_id),
    )


def get_player_market(
    player_id: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
) -> Call[shapes.PlayerMarket]:
    """Returns offers of a player and to it alone, and goods on their way to it."""
    return Call(
        "GET",
        with_query(path_of("/api/market/player/{player_id}", player_id=player_id), cursor=cursor, limit=limit),
    )


def get_market(
    galaxy: int,
    *,
    give: str | None = None,
    want: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Call[shapes.Market]:
    """Returns the order book of a galaxy, and the last trades of the world."""
    return Call(
        "GET",
        with_query(path_of("/api/market/galaxy/{galaxy}", galaxy=galaxy), give=give, want=want, cursor=cursor, limit=limit),
    )


def get_buildings(planet_id: str) -> Call[list[shapes.Building]]:
    """Returns the buildings of a planet with their construction queues."""
    return Call("GET", path_of("/api/building/planet/{planet_id}", planet_id=planet_id))


def construct_building(
    *,
    planet_id: str,
    building_type: shapes.BuildingType,
    player_id: str | None = None,
) -> Command[shapes.Planet, shapes.UpgradeStarted]:
    """Starts a building that the planet does not have yet."""
    return Command(
        "POST",
        "/api/building/construct",
        present(planetId=planet_id, buildingType=building_type, playerId=player_id),
    )


def upgrade_building(
    *,
    planet_id: str,
    building_type: shapes.BuildingType,
    player_id: str | None = None,
) -> Command[shapes.Planet, shapes.UpgradeStarted]:
    """Starts the next level of a building."""
    return Command(
        "POST",
        "/api/building/upgrade",
        present(planetId=planet_id, buildingType=building_type, playerId=player_id),
    )


def cancel_building(
    *,
    planet_id: str,
    queue_id: str,
    player_id: str | None = None,
) -> Command[shapes.Planet, shapes.StocksAfter]:
    """Cancels an upgrade and refunds what was paid for it."""
    return Command("POST", "/api/building/cancel", present(planetId=planet_id, queueId=queue_id, playerId=player_id))


def get_shipyard(planet_id: str) -> Call[shapes.ShipyardStatus]:
    """Returns the orders and ships of a planet."""
    return Call("GET", path_of("/api/shipyard/planet/{planet_id}", planet_id=planet_id))


def build_ships(
    *,
    planet_id: str,
    ship_type: shapes.ShipType,
    count: int,
    player_id: str | None = None,
) -> Command[shapes.ShipyardEntry, shapes.ShipsOrdered]:
    """Orders ships of one type."""
    return Command(
        "POST",
        "/api/shipyard/build",
        present(planetId=planet_id, shipType=ship_type, count=count, playerId=player_id),
    )


def cancel_ships(*, planet_id: str, ship_type: shapes.ShipType, player_id: str | None = None) -> Call[shapes.Success]:
    """Cancels all orders of a ship type, without refund."""
    return Call("POST", "/api/shipyard/cancel", present(planetId=planet_id, shipType=ship_type, playerId=player_id))


def get_research(player_id: str) -> Call[list[shapes.ResearchEntry]]:
    """Returns the research of a player."""
    return Call("GET", path_of("/api/research/player/{player_id}", player_id=player_id))


def start_research(
    *,
    player_id: str,
    research_type: shapes.ResearchType,
) -> Command[shapes.ResearchEntry, shapes.ResearchStarted]:
    """Starts the next level of a research; a player can have one in progress."""
    return Command("POST", "/api/research/start", present(playerId=player_id, researchType=research_type))


def get_options(planet_id: str) -> Call[shapes.PlanetOptions]:
    """Returns what can be started on a planet: upgrades, constructions, ships and research, and the free second
    planet."""
    return Call("GET", path_of("/api/game/options/{planet_id}", planet_id=planet_id))


def get_known_planets(player_id: str) -> Call[shapes.KnownPlanets]:
    """Returns the planets whose richness a player knows, with their owners."""
    return Call("GET", path_of("/api/game/richness/{player_id}", player_id=player_id))


def get_fields(planet_id: str, *, limit: int | None = None) -> Call[shapes.Fields]:
    """Returns what lies in space near a planet, for the mission `harvest`: asteroids, and wrecks of battles."""
    return Call("GET", with_query(path_of("/api/game/fields/{planet_id}", planet_id=planet_id), limit=limit))


def get_brief(player_id: str) -> Call[str]:
    """Returns the whole situation of a player as short Markdown, for a language model."""
    return Call("GET", path_of("/api/brief/player/{player_id}", player_id=player_id))


def get_plan(planet_id: str) -> Call[shapes.Plan]:
    """Returns what the plan of a planet still has to do, and what each of its lanes waits for."""
    return Call("GET", path_of("/api/plan/planet/{planet_id}", planet_id=planet_id))


def put_plan(
    planet_id: str,
    *,
    steps: list[shapes.PlanStep],
    on_blocked: Literal["wait", "skip"] | None = None,
    longer_than_seconds: int | None = None,
    player_id: str | None = None,
) -> Command[shapes.Plan, shapes.StocksAfter]:
    """Gives a planet a plan in place of the one that it has."""
    return Command(
        "PUT",
        path_of("/api/plan/planet/{planet_id}", planet_id=planet_id),
        present(steps=steps, onBlocked=on_blocked, longerThanSeconds=longer_than_seconds, playerId=player_id),
    )


def send_message(*, player_id: str, to: str, text: str) -> Command[shapes.Message, shapes.MessageSent]:
    """Sends a message to another player, or to everybody."""
    return Command("POST", "/api/message", present(playerId=player_id, to=to, text=text))


def block_player(*, player_id: str, blocked_player_id: str, blocked: bool) -> Call[shapes.BlockedPlayers]:
    """Refuses the messages of another player from now on, or no longer."""
    return Call(
        "POST",
        "/api/message/block",
        present(playerId=player_id, blockedPlayerId=blocked_player_id, blocked=blocked),
    )


def get_messages(player_id: str, *, since: str | None = None, limit: int | None = None) -> Call[shapes.Messages]:
    """Returns what a player has sent and received, and the messages to everybody."""
    return Call(
        "GET",
        with_query(path_of("/api/message/player/{player_id}", player_id=player_id), since=since, limit=limit),
    )


def propose_pact(*, player_id: str, partner_id: str, kind: shapes.PactKind, duration_seconds: int) -> Call[shapes.Pact]:
    """Proposes a pact to another player."""
    return Call(
        "POST",
        "/api/pact",
        present(playerId=player_id, partnerId=partner_id, kind=kind, durationSeconds=duration_seconds),
    )


def accept_pact(pact_id: str, *, player_id: str) -> Call[shapes.Pact]:
    """Accepts a proposal of another player."""
    return Call("POST", path_of("/api/pact/{pact_id}/accept", pact_id=pact_id), present(playerId=player_id))


def decline_pact(pact_id: str, *, player_id: str) -> Call[shapes.Pact]:
    """Declines a proposal of another player."""
    return Call("POST", path_of("/api/pact/{pact_id}/decline", pact_id=pact_id), present(playerId=player_id))


def cancel_pact(pact_id: str, *, player_id: str) -> Call[shapes.Pact]:
    """Withdraws a proposal, or gives notice of a pact."""
    return Call("POST", path_of("/api/pact/{pact_id}/cancel", pact_id=pact_id), present(playerId=player_id))


def get_pacts(player_id: str) -> Call[shapes.Pacts]:
    """Returns the pacts of a player, and the proposals that it has made or received."""
    return Call("GET", path_of("/api/game/pacts/{player_id}", player_id=player_id))


def get_player_events(
    player_id: str,
    *,
    since: int | None = None,
    wait: int | None = None,
    limit: int | None = None,
) -> Call[shapes.EventPage]:
    """Returns the events of a player after a seq, and waits for one if there is none."""
    return Call(
        "GET",
        with_query(path_of("/api/event/player/{player_id}", player_id=player_id), since=since, wait=wait, limit=limit),
    )


def get_world_events(
    *,
    since: int | None = None,
    wait: int | None = None,
    limit: int | None = None,
) -> Call[shapes.EventPage]:
    """Returns the public events of all players after a seq, and waits for one if there is none."""
    return Call("GET", with_query("/api/event/world", since=since, wait=wait, limit=limit))


def get_catalog() -> Call[shapes.Catalog]:
    """Returns the rules as data: costs, times, outputs, ships, drives and constants."""
    return Call("GET", "/api/catalog")


def get_errors() -> Call[shapes.ErrorTable]:
    """Returns every error code with its status and meaning."""
    return Call("GET", "/api/errors")


def get_status() -> Call[shapes.Status]:
    """Returns version, settings, time and size of the world."""
    return Call("GET", "/api/status")


def get_reports(player_id: str, *, since: str | None = None, limit: int | None = None) -> Call[list[shapes.Report]]:
    """Returns combat and espionage reports of a player, the newest first."""
    return Call(
        "GET",
        with_query(path_of("/api/report/player/{player_id}", player_id=player_id), since=since, limit=limit),
    )


def get_shocks() -> Call[shapes.Shocks]:
    """Returns the shocks that are announced or have begun, and when the next ones are announced."""
    return Call("GET", "/api/game/shocks")


def get_leaderboard(*, offset: int | None = None, limit: int | None = None) -> Call[shapes.Leaderboard]:
    """Returns players by points: the first 100, or those after an offset."""
    return Call("GET", with_query("/api/leaderboard", offset=offset, limit=limit))


def find_players(
    *,
    name: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
    ids: str | None = None,
) -> Call[shapes.FoundPlayers]:
    """Finds players by the beginning of their names, or by their ids."""
    return Call("GET", with_query("/api/player", name=name, cursor=cursor, limit=limit, ids=ids))


def get_map() -> Call[shapes.MapOverview]:
    """Returns who owns how much in all galaxies."""
    return Call("GET", "/api/map")


def get_map_fleets() -> Call[shapes.MapFleets]:
    """Returns the fleets in flight, at most 10000."""
    return Call("GET", "/api/map/fleets")


def get_leaderboard_history(*, player_id: str | None = None) -> Call[shapes.LeaderboardCourses]:
    """Returns the course of the points of the first 10 players, or of one player."""
    return Call("GET", with_query("/api/leaderboard/history", playerId=player_id))


def get_limits() -> Call[shapes.Limits]:
    """Returns the limits of this server, the cost of each operation and what the caller has left."""
    return Call("GET", "/api/limits")


def get_start() -> Call[shapes.Start]:
    """Returns links to documents and to the first things to read."""
    return Call("GET", "/")


def get_docs() -> Call[str]:
    """Returns a page to read and try this interface in a browser."""
    return Call("GET", "/docs")


def get_docs_script() -> Call[str]:
    """Returns the script of the page /docs."""
    return Call("GET", "/docs/viewer.js")


def get_docs_style() -> Call[str]:
    """Returns the style sheet of the page /docs."""
    return Call("GET", "/docs/viewer.css")


def get_dashboard() -> Call[str]:
    """Returns a page to watch the world in a browser."""
    return Call("GET", "/dashboard")


def get_dashboard_script() -> Call[str]:
    """Returns the script of the page /dashboard."""
    return Call("GET", "/dashboard/dashboard.js")


def get_dashboard_style() -> Call[str]:
    """Returns the style sheet of the page /dashboard."""
    return Call("GET", "/dashboard/dashboard.css")


def get_language_model_text() -> Call[str]:
    """Returns the game and this interface as one Markdown text, for language models."""
    return Call("GET", "/llms.txt")


def get_health() -> Call[shapes.Health]:
    """Reports that the process is alive."""
    return Call("GET", "/healthz")


def get_readiness(*, role: str | None = None) -> Call[shapes.Readiness]:
    """Reports whether the process can do what its role is for."""
    return Call("GET", with_query("/readyz", role=role))


def get_open_api() -> Call[dict[str, Any]]:
    """Returns this interface as an OpenAPI 3.1 document."""
    return Call("GET", "/openapi.json")


def get_async_api() -> Call[dict[str, Any]]:
    """Returns the events, their streams and the frames of the WebSocket as an AsyncAPI 3.0 document."""
    return Call("GET", "/asyncapi.json")


def get_metrics() -> Call[str]:
    """Returns metrics for Prometheus."""
    return Call("GET", "/metrics")


def get_traffic(
    *,
    by: str | None = None,
    window: str | None = None,
    sort: str | None = None,
    limit: int | None = None,
) -> Call[shapes.ClientTraffic]:
    """Lists the players or addresses that send most, over the last minute or hour."""
    return Call("GET", with_query("/api/admin/traffic", by=by, window=window, sort=sort, limit=limit))


def get_metric_history(*, seconds: int | None = None) -> Call[shapes.MetricHistory]:
    """Returns the course of the metrics over the last hour."""
    return Call("GET", with_query("/api/metrics/history", seconds=seconds))


def get_replay() -> Call[shapes.ReplayPosition]:
    """Returns where a replay stands, and what it can be moved to."""
    return Call("GET", "/api/replay")


def move_replay(body: shapes.ReplayRequest) -> Call[shapes.ReplayPosition]:
    """Moves a replay to a seq, an instant, the next event or battle or another game, or lets it play."""
    return Call("POST", "/api/replay", body)


def get_timeline() -> Call[shapes.Timeline]:
    """Returns how much happened when, and the largest battles."""
    return Call("GET", "/api/replay/timeline")


def get_tournament() -> Call[shapes.Tournament]:
    """Returns the result of a tournament: standings, settings and games."""
    return Call("GET", "/api/tournament")


def get_tournament_trace(
    *,
    game: int | None = None,
    entrant: str | None = None,
    offset: int | None = None,
    only: str | None = None,
) -> Call[shapes.TournamentTrace]:
    """Returns what an entrant did in a game: its requests with their answers, and what it printed."""
    return Call("GET", with_query("/api/tournament/trace", game=game, entrant=entrant, offset=offset, only=only))


def get_turn(*, wait: int | None = None) -> Call[shapes.Turn]:
    """Returns whether it is the caller's turn, and waits for it."""
    return Call("GET", with_query("/api/turn", wait=wait))


def end_turn(
    *,
    wake_at: shapes.Timestamp | None = None,
    wake_on: list[shapes.EventTypeName] | None = None,
) -> Call[shapes.Turn]:
    """Ends the caller's turn, and says when the next one begins."""
    return Call("POST", "/api/turn/end", present(wakeAt=wake_at, wakeOn=wake_on))


def begin_turns(
    *,
    entrants: list[shapes.BeginTurnsRequestEntrantsItem],
    until: shapes.Timestamp,
    order_seed: int,
    commands_per_day: int,
    wakeups_per_day: int,
    wall_seconds_per_turn: int,
    wakeups_by_others_per_day: int | None = None,
) -> Call[shapes.Turns]:
    """Begins a game of turns, in which all entrants are awake now."""
    return Call(
        "POST",
        "/api/admin/turns",
        present(
            entrants=entrants,
            until=until,
            orderSeed=order_seed,
            commandsPerDay=commands_per_day,
            wakeupsPerDay=wakeups_per_day,
            wakeupsByOthersPerDay=wakeups_by_others_per_day,
            wallSecondsPerTurn=wall_seconds_per_turn,
        ),
    )


def get_turns(*, wait: int | None = None) -> Call[shapes.Turns]:
    """Returns the state of a game of turns, and waits for its end."""
    return Call("GET", with_query("/api/admin/turns", wait=wait))


def withdraw_entrant(*, player_id: str) -> Call[shapes.Turns]:
    """Gives an entrant of a game of turns no further turn."""
    return Call("POST", "/api/admin/turns/withdraw", present(playerId=player_id))


def advance_clock(body: shapes.AdvanceClockRequest) -> Call[shapes.ClockPosition]:
    """Advances a manual clock: by seconds, to an instant or to the next timer."""
    return Call("POST", "/api/admin/clock/advance", body)


def pause_clock() -> Call[shapes.WorldClock]:
    """Pauses the clock of the world."""
    return Call("POST", "/api/admin/clock/pause", {})


def resume_clock() -> Call[shapes.WorldClock]:
    """Resumes the clock of the world."""
    return Call("POST", "/api/admin/clock/resume", {})


def set_speed(*, speed: float) -> Call[shapes.WorldSpeed]:
    """Changes the speed of the world."""
    return Call("POST", "/api/admin/clock/speed", present(speed=speed))


def create_players(body: shapes.BulkPlayersRequest) -> Call[shapes.BulkPlayers]:
    """Creates bots in bulk: with given names, or named prefix-1, prefix-2 and so on."""
    return Call("POST", "/api/admin/players", body)


def list_players(
    *,
    name: str | None = None,
    sort: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Call[shapes.ListedPlayers]:
    """Lists players, also with when they were active and whether they have a key."""
    return Call("GET", with_query("/api/admin/players", name=name, sort=sort, cursor=cursor, limit=limit))


def grant_resources(
    planet_id: str,
    *,
    iron: int | None = None,
    silver: int | None = None,
    ember: int | None = None,
    h2: int | None = None,
    energy: int | None = None,
) -> Command[shapes.Planet, shapes.StocksAfter]:
    """Adds whole units of resources to a planet that has an owner."""
    return Command(
        "POST",
        path_of("/api/admin/planet/{planet_id}/grant", planet_id=planet_id),
        present(iron=iron, silver=silver, ember=ember, h2=h2, energy=energy),
    )


def get_state_hash() -> Call[shapes.StateHash]:
    """Returns the hash of the whole state, to compare with a replay."""
    return Call("GET", "/api/admin/state-hash")


def switch_rules(body: shapes.RuleSet) -> Call[shapes.RulesIdentity]:
    """Switches the world to another rule set."""
    return Call("POST", "/api/admin/rules", body)


def take_snapshot() -> Call[shapes.Snapshot]:
    """Takes a snapshot, and replies once it is on disk and verified."""
    return Call("POST", "/api/admin/snapshot", {})


def rotate_key(
    player_id: str,
    *,
    expires_in_seconds: int | None = None,
    old_key_valid_seconds: int | None = None,
) -> Command[shapes.PlayerKey, shapes.PlayerKey]:
    """Gives the caller a new API key."""
    return Command(
        "POST",
        path_of("/api/game/player/{player_id}/key", player_id=player_id),
        present(expiresInSeconds=expires_in_seconds, oldKeyValidSeconds=old_key_valid_seconds),
    )


def revoke_keys(player_id: str) -> Call[shapes.Success]:
    """Makes all API keys of the caller invalid at once."""
    return Call("POST", path_of("/api/game/player/{player_id}/key/revoke", player_id=player_id), {})


def rotate_key_of_player(
    player_id: str,
    *,
    expires_in_seconds: int | None = None,
    old_key_valid_seconds: int | None = None,
) -> Command[shapes.PlayerKey, shapes.PlayerKey]:
    """Gives a player a new API key, also if the present one is lost, revoked or expired."""
    return Command(
        "POST",
        path_of("/api/admin/player/{player_id}/key", player_id=player_id),
        present(expiresInSeconds=expires_in_seconds, oldKeyValidSeconds=old_key_valid_seconds),
    )


def revoke_keys_of_player(player_id: str) -> Call[shapes.Success]:
    """Makes all API keys of a player invalid at once."""
    return Call("POST", path_of("/api/admin/player/{player_id}/key/revoke", player_id=player_id), {})


def retire_player(player_id: str) -> Call[shapes.RetiredPlayer]:
    """Removes a player from the world."""
    return Call("POST", path_of("/api/admin/player/{player_id}/retire", player_id=player_id), {})


def retire_inactive_players(
    *,
    inactive_for_seconds: int,
    at_most: int | None = None,
    dry_run: bool | None = None,
) -> Call[shapes.Retirement]:
    """Removes the players who have done nothing for a while."""
    return Call(
        "POST",
        "/api/admin/players/retire",
        present(inactiveForSeconds=inactive_for_seconds, atMost=at_most, dryRun=dry_run),
    )


def suspend_player(player_id: str) -> Call[shapes.ModeratedPlayer]:
    """Suspends a player."""
    return Call("POST", path_of("/api/admin/player/{player_id}/suspend", player_id=player_id), {})


def resume_player(player_id: str) -> Call[shapes.ModeratedPlayer]:
    """Lets a suspended player go on."""
    return Call("POST", path_of("/api/admin/player/{player_id}/resume", player_id=player_id), {})


def rename_player(player_id: str, *, name: str) -> Call[shapes.ModeratedPlayer]:
    """Gives a player another name."""
    return Call("POST", path_of("/api/admin/player/{player_id}/rename", player_id=player_id), present(name=name))


def announce(*, text: str | None, until_seconds: int | None = None) -> Call[shapes.AnnouncementOrNull]:
    """Announces something to everybody, in place of the announcement before."""
    return Call("POST", "/api/admin/announce", present(text=text, untilSeconds=until_seconds))


def block_address(*, address: str, seconds: int, is_own: bool | None = None) -> Call[shapes.BlockedAddress]:
    """Blocks an address for a time."""
    return Call("POST", "/api/admin/address/block", present(address=address, seconds=seconds, isOwn=is_own))


def unblock_address(*, address: str) -> Call[shapes.UnblockedAddress]:
    """Ends the block of an address."""
    return Call("POST", "/api/admin/address/unblock", present(address=address))


def list_blocked_addresses() -> Call[shapes.BlockedAddresses]:
    """Lists the addresses that are blocked."""
    return Call("GET", "/api/admin/addresses")


def get_audit(*, limit: int | None = None, cursor: str | None = None) -> Call[shapes.AuditPage]:
    """Returns what operators have done, the newest first."""
    return Call("GET", with_query("/api/admin/audit", limit=limit, cursor=cursor))
