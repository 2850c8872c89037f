"""The shapes of requests and replies as types.

Generated from the OpenAPI document by `npm run documents`; do not edit by hand.

At runtime a shape is a plain dict. Names from the rules of a world, such as building types, are those of the
standard rules or any other string.
"""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final

Timestamp: TypeAlias = str
"""ISO 8601 in UTC; galaxyd.parse_instant reads it."""


BuildingType: TypeAlias = (
    Literal[
        "zentrale",
        "iron_mine",
        "silver_mine",
        "ember_extractor",
        "h2_extractor",
        "fusion_plant",
        "shipyard",
        "anti_spy",
        "planetary_shield",
    ]
    | str
)
"""Building type; see GET /api/catalog."""


ShipType: TypeAlias = Literal["scout", "fighter", "transport", "colony_ship"] | str
"""Ship type; see GET /api/catalog."""


DriveName: TypeAlias = Literal["combustion", "ion", "hyper", "nexus", "interdim"] | str
"""Drive type; see GET /api/catalog."""


ResearchType: TypeAlias = Literal["drive_ion", "drive_hyper", "drive_nexus", "drive_interdim"] | str
"""Research type; see GET /api/catalog."""


ResourceName: TypeAlias = Literal["iron", "silver", "ember", "h2", "energy"] | str
"""A resource."""


Mission: TypeAlias = Literal["attack", "transport", "deploy", "colonize", "espionage", "harvest", "support"] | str
"""What the fleet does at the target."""


FlightType: TypeAlias = Literal["intraSystem", "interSystem", "interGalaxy"] | str
"""Within a system, between systems or between galaxies."""


ErrorCode: TypeAlias = (
    Literal[
        "malformed_request",
        "malformed_json",
        "invalid_request",
        "unauthenticated",
        "admin_key_is_read_only",
        "address_blocked",
        "read_only",
        "forbidden",
        "registration_closed",
        "not_owner",
        "player_suspended",
        "route_not_found",
        "system_not_found",
        "player_not_found",
        "planet_not_found",
        "fleet_not_found",
        "offer_not_found",
        "pact_not_found",
        "building_not_found",
        "queue_entry_not_found",
        "method_not_allowed",
        "request_timeout",
        "not_your_turn",
        "command_budget_spent",
        "turns_running",
        "idempotency_key_in_flight",
        "name_taken",
        "building_exists",
        "upgrade_in_progress",
        "other_ship_in_production",
        "research_in_progress",
        "planet_occupied",
        "starter_limit_reached",
        "fleet_not_in_transit",
        "fleet_not_stationed",
        "universe_full",
        "limit_reached",
        "plans_not_in_rules",
        "sight_not_in_rules",
        "messages_not_in_rules",
        "blocked_by_receiver",
        "message_limit_reached",
        "market_not_in_rules",
        "shocks_not_in_rules",
        "pacts_not_in_rules",
        "pact_exists",
        "pact_in_force",
        "pact_ending",
        "rules_not_compatible",
        "events_expired",
        "precondition_failed",
        "body_too_large",
        "unsupported_media_type",
        "not_leader",
        "idempotency_key_reused",
        "trade_not_possible",
        "offer_out_of_reach",
        "insufficient_ships",
        "no_drive_available",
        "hangar_capacity_exceeded",
        "insufficient_h2",
        "cargo_capacity_exceeded",
        "shipyard_required",
        "nothing_in_production",
        "insufficient_resources",
        "deliveries_used_up",
        "mission_not_possible",
        "pact_with_oneself",
        "rate_limited",
        "head_too_large",
        "internal_error",
        "not_implemented",
        "overloaded",
        "storage_unavailable",
        "snapshot_failed",
        "no_leader",
        "replica_behind",
        "recovering",
        "shutting_down",
        "world_paused",
        "http_version_not_supported",
    ]
    | str
)
"""Stable identifier of an error, for programs; see GET /api/errors."""


PactKind: TypeAlias = Literal["non_aggression", "shared_sight"] | str
"""What the pact is about."""


ShockEffect: TypeAlias = Literal["output", "pirates", "bounty"] | str
"""`output`: planets produce another share. `pirates`: they take from idle stocks. `bounty`: attackers may take more
from a player."""


CombatOutcome: TypeAlias = Literal["attacker_won", "defender_won", "draw"] | str
"""How a battle ended."""


FleetState: TypeAlias = Literal["outbound", "returning", "stationed"] | str
"""On the way to the target, back to the origin, or staying at the target."""


FlightRefusal: TypeAlias = (
    Literal[
        "limit_reached",
        "insufficient_ships",
        "no_drive_available",
        "hangar_capacity_exceeded",
        "insufficient_h2",
        "cargo_capacity_exceeded",
        "insufficient_resources",
        "mission_not_possible",
    ]
    | str
)
"""The code of a refusal of a launch that does not concern ownership."""


WarningCode: TypeAlias = (
    Literal[
        "target_unowned",
        "target_protected",
        "target_in_pact",
        "loot_used_up",
        "deliveries_used_up",
        "field_empty",
        "support_full",
        "planet_limit",
    ]
    | str
)
"""Stable identifier of a warning, for programs."""


EventTypeName: TypeAlias = (
    Literal[
        "player_created",
        "building_started",
        "building_completed",
        "building_cancelled",
        "ships_ordered",
        "ships_completed",
        "ships_cancelled",
        "research_started",
        "research_completed",
        "fleet_launched",
        "fleet_arrived",
        "fleet_recalled",
        "fleet_returned",
        "fleet_destroyed",
        "fleet_stationed",
        "support_fought",
        "incoming_fleet",
        "incoming_fleet_gone",
        "combat_report",
        "espionage_report",
        "espionage_detected",
        "resources_received",
        "planet_colonized",
        "colonization_failed",
        "attack_turned_away",
        "resources_granted",
        "key_rotated",
        "keys_revoked",
        "player_joined",
        "battle",
        "wrecks_left",
        "field_harvested",
        "offer_made",
        "offer_taken",
        "offer_ended",
        "goods_arrived",
        "trade_agreed",
        "player_retired",
        "player_suspended",
        "player_resumed",
        "player_renamed",
        "announcement",
        "message_sent",
        "message_received",
        "players_spoke",
        "message_broadcast",
        "plan_step_started",
        "plan_step_skipped",
        "plan_step_blocked",
        "plan_completed",
        "pact_proposed",
        "pact_began",
        "pact_cancelled",
        "pact_ended",
        "pact",
        "shock_announced",
        "shock_began",
        "pirates_came",
        "clock_paused",
        "clock_resumed",
        "speed_changed",
    ]
    | str
)
"""Type of an event."""


@final
class CargoAmounts(TypedDict):
    iron: int
    """Iron."""
    silver: int
    """Silver."""
    ember: int
    """Ember."""
    h2: int
    """H2."""


@final
class FleetShips(TypedDict):
    """Ships of one type in a fleet. Everywhere else the field with their type is `shipType`."""

    type: "ShipType"
    count: int
    """Number of ships."""


@final
class PlanStep1(TypedDict):
    action: Literal["upgrade", "construct"]
    """What is done, as in the options of a planet."""
    buildingType: "BuildingType"


@final
class PlanStep2(TypedDict):
    action: Literal["build_ships"]
    """What is done, as in the options of a planet."""
    shipType: "ShipType"
    count: int
    """Number of ships."""


@final
class PlanStep3(TypedDict):
    action: Literal["research"]
    """What is done, as in the options of a planet."""
    researchType: "ResearchType"


@final
class PlanStep4ShipsItem(TypedDict):
    shipType: "ShipType"
    count: int
    """Number of ships."""


@final
class PlanStep4Resources(TypedDict):
    """Units to carry. The step waits until the stocks cover them and the h2 of the flight."""

    iron: NotRequired[int]
    """Iron to carry; 0 by default."""
    silver: NotRequired[int]
    """Silver to carry; 0 by default."""
    ember: NotRequired[int]
    """Ember to carry; 0 by default."""
    h2: NotRequired[int]
    """H2 to carry; 0 by default."""


@final
class PlanStep4(TypedDict):
    action: Literal["launch"]
    """A fleet is launched from the planet."""
    targetPlanetId: str
    """Planet id."""
    mission: "Mission"
    ships: "list[PlanStep4ShipsItem]"
    """Ships to send; entries of the same type are added up."""
    resources: NotRequired["PlanStep4Resources"]
    """Units to carry. The step waits until the stocks cover them and the h2 of the flight."""
    drive: NotRequired["DriveName"]


@final
class ResourceAmounts(TypedDict):
    iron: int
    """Iron."""
    silver: int
    """Silver."""
    ember: int
    """Ember."""
    h2: int
    """H2."""
    energy: int
    """Energy."""


@final
class ShipCount(TypedDict):
    shipType: "ShipType"
    count: int
    """Number of ships."""


@final
class StepOfEvent1(TypedDict):
    action: Literal["upgrade", "construct"]
    """What is done, as in the options of a planet."""
    buildingType: "BuildingType"


@final
class StepOfEvent2(TypedDict):
    action: Literal["build_ships"]
    """What is done, as in the options of a planet."""
    shipType: "ShipType"
    count: int
    """Number of ships."""


@final
class StepOfEvent3(TypedDict):
    action: Literal["research"]
    """What is done, as in the options of a planet."""
    researchType: "ResearchType"


@final
class StepOfEvent4(TypedDict):
    action: Literal["launch"]
    """A fleet is launched from the planet."""
    targetPlanetId: str
    """Planet id."""
    mission: "Mission"


@final
class Pact(TypedDict):
    """A pact of two players, or a proposal for one."""

    id: str
    """Pact id."""
    kind: "PactKind"
    state: Literal["proposed", "in_force", "ended"]
    """Whether the partner has accepted it, and it has not ended."""
    proposerId: str
    """Player id of who proposed it."""
    partnerId: str
    """Player id of who was asked."""
    durationSeconds: int
    """World time for which it is in force, unless it is cancelled."""
    since: Timestamp
    """When it was proposed, or came into force."""
    endsAt: Timestamp
    """When the proposal expires, or the pact ends."""
    cancelledBy: str | None
    """Player id of who has cancelled the pact in force; null if nobody has."""


@final
class Shock(TypedDict):
    """A shock of a galaxy."""

    id: str
    """Shock id."""
    type: str
    """Its type, as in `shocks` of the rules."""
    galaxyIndex: int
    effect: "ShockEffect"
    resource: "ResourceName | None"
    """Whose output changes; null for other effects."""
    percent: int
    """Output in per cent of the usual; what pirates take of what lies idle; or what each attacker may take, in per cent
    of the usual."""
    idleSeconds: int | None
    """Pirates leave what all planets of a player produce in this time, at speed 1; null for other effects."""
    playerId: str | None
    """On whom the bounty lies; null for other effects."""
    startsAt: Timestamp
    """When it begins."""
    endsAt: Timestamp
    """When it is over; pirates come at once."""
    announcedAt: Timestamp
    """When it was announced."""
    hasBegun: bool
    """Whether it has begun."""


@final
class Shocks(TypedDict):
    shocks: "list[Shock]"
    """Announced shocks that are not over, in the order of their announcements."""
    nextAnnouncementAt: Timestamp | None
    """When the next shocks are announced."""


@final
class Building(TypedDict):
    id: str
    """Building id."""
    type: "BuildingType"
    level: int
    """Current level; 0 during the first construction."""
    constructionQueue: "list[ConstructionEntry]"
    """Empty if no upgrade is in progress."""


@final
class ConstructionEntry(TypedDict):
    queueId: str
    """Identifies the upgrade in POST /api/building/cancel."""
    targetLevel: int
    """The level that is being built."""
    startedAt: Timestamp
    """When the upgrade was started."""
    upgradeFinishAt: Timestamp
    """When the level is reached."""


@final
class GalaxyOverviewGalaxy(TypedDict):
    id: str
    """Galaxy id."""
    index: int


@final
class GalaxyOverview(TypedDict):
    galaxy: "GalaxyOverviewGalaxy"
    systems: "list[SystemOverview]"
    """All systems of the galaxy, by index."""


@final
class Owner(TypedDict):
    """A summary of the owning player."""

    id: str
    """Player id."""
    name: str
    isBot: bool


@final
class PlanetSupportersItem(TypedDict):
    fleetId: str
    """Fleet id."""
    playerId: str
    """Its owner."""
    ships: "list[FleetShips]"


@final
class Planet(TypedDict):
    id: str
    """Planet id."""
    name: str
    slot: int
    iron: int
    """Whole units, rounded down."""
    silver: int
    """Whole units, rounded down."""
    ember: int
    """Whole units, rounded down."""
    h2: int
    """Whole units, rounded down; fuel for flights."""
    energy: int
    """Whole units, rounded down."""
    system: "SystemPosition"
    production: "Production"
    richness: NotRequired["Richness"]
    nextTimerAt: Timestamp | None
    """When the upgrade or the first ship order is complete, or the plan can pay for a step, whichever is first; null if
    none is known."""
    visibility: Literal["full"]
    """The planet is shown with everything on it."""
    buildings: "list[Building]"
    planetShips: "list[ShipCount]"
    """Ships stationed on the planet."""
    shipyardQueue: "list[ShipyardEntry]"
    planSteps: NotRequired[int]
    """Steps that the plan of the planet has not started; absent without a plan. See GET /api/plan/planet/{planetId}."""
    supporters: NotRequired["list[PlanetSupportersItem]"]
    """Fleets of others that are stationed at the planet and defend it; absent if there are none."""
    owner: "OwnerOrNull"


@final
class PlanetSummary(TypedDict):
    """The public fields of a planet."""

    id: str
    """Planet id."""
    name: str
    slot: int
    system: "SystemPosition"
    visibility: Literal["public"]
    """Only what every player may see is shown."""
    owner: "OwnerOrNull"


@final
class Production(TypedDict):
    """What the planet produces in an hour, in units with up to three decimals, until a building changes, or a shock
    begins or ends. A stock at a later instant is the shown one plus the production since x-world-time; it can be one
    unit more, since stocks are shown rounded down."""

    iron: float
    """Units of iron per hour."""
    silver: float
    """Units of silver per hour."""
    ember: float
    """Units of ember per hour."""
    h2: float
    """Units of h2 per hour."""
    energy: float
    """Units of energy per hour."""


@final
class Richness(TypedDict):
    """What the planet produces compared with others; see richness in the catalogue."""

    iron: int
    """Output of iron in per cent of that of its buildings."""
    silver: int
    """Output of silver in per cent of that of its buildings."""
    ember: int
    """Output of ember in per cent of that of its buildings."""
    h2: int
    """Output of h2 in per cent of that of its buildings."""


@final
class ShipyardEntry(TypedDict):
    shipType: "ShipType"
    count: int
    """Number of ships in this order; they are delivered together."""
    isBuilding: bool
    """False while the order waits for another one."""
    buildFinishAt: Timestamp
    """When the ships are delivered."""


@final
class ShipyardStatus(TypedDict):
    queue: "list[ShipyardEntry]"
    stock: "list[ShipCount]"
    """Ships on the planet."""


@final
class Star(TypedDict):
    name: str
    type: str
    temperature: int
    """Kelvin."""


@final
class SystemOverviewOwnersItem(TypedDict):
    playerId: str
    """Player id."""
    slots: list[int]
    """Slots of its planets."""


@final
class SystemOverview(TypedDict):
    id: str
    """System id."""
    index: int
    """System index within the galaxy."""
    planets: int
    """Number of planets."""
    free: int
    """Number of planets that nobody owns."""
    freeSlots: list[int]
    """Their slots."""
    owners: "list[SystemOverviewOwnersItem]"


@final
class SystemPosition(TypedDict):
    galaxyIndex: int
    index: int
    """System index within the galaxy."""


@final
class SystemViewGalaxy(TypedDict):
    id: str
    """Galaxy id."""
    index: int


@final
class SystemViewSystem(TypedDict):
    id: str
    """System id."""
    index: int
    """System index within the galaxy."""
    star: "Star"


@final
class SystemView(TypedDict):
    galaxy: "SystemViewGalaxy"
    system: "SystemViewSystem"
    planets: "list[PlanetSummary]"
    """All planets of the system, ordered by slot."""


@final
class AgreedTrade(TypedDict):
    """What the player receives."""

    goods: "Goods"
    h2Cost: int
    """Units of h2 that the planet has paid for the way of what it sends."""


@final
class Goods(TypedDict):
    offerId: str
    """The offer that was taken."""
    partnerId: str
    """The player who sends them."""
    originPlanetId: str
    """Where they come from."""
    planetId: str
    """Where they arrive."""
    goods: "Lot"
    sentAt: Timestamp
    """When they set out."""
    arrivesAt: Timestamp
    """When they arrive."""


@final
class Lot(TypedDict):
    """Units of one resource."""

    resource: Literal["iron", "silver", "ember", "h2"]
    """A resource that can be shipped."""
    units: int
    """Units."""


@final
class MarketTradesItemLastItem(TypedDict):
    at: Timestamp
    """When it was agreed."""
    giveUnits: int
    """Units given."""
    wantUnits: int
    """Units paid."""


@final
class MarketTradesItem(TypedDict):
    give: Literal["iron", "silver", "ember", "h2"]
    """A resource that can be shipped."""
    want: Literal["iron", "silver", "ember", "h2"]
    """A resource that can be shipped."""
    last: "list[MarketTradesItemLastItem]"
    """The oldest first."""


@final
class Market(TypedDict):
    offers: "list[Offer]"
    """By the resources given and wanted; of each pair the lowest price first."""
    nextCursor: str | None
    """The `cursor` of the next reply; null if there are no more offers."""
    trades: "list[MarketTradesItem]"
    """The last trades of the world, of each pair of resources that was traded."""


@final
class Offer(TypedDict):
    id: str
    """Offer id."""
    playerId: str
    """The player who made it."""
    planetId: str
    """The planet that gives the goods, and receives those that it wants."""
    give: "Lot"
    want: "Lot"
    price: float
    """Units that it wants for each unit that it gives."""
    h2Max: int
    """Units of h2 that the way of the goods to whoever takes it may cost."""
    toPlayerId: str | None
    """Player id."""
    madeAt: Timestamp
    """When it was made."""
    until: Timestamp
    """When it ends."""


@final
class PlayerMarket(TypedDict):
    offers: "list[Offer]"
    """Open offers of the player, the oldest first."""
    offersToPlayer: "list[Offer]"
    """Open offers of others that only this player can take, the newest first."""
    nextCursor: str | None
    """The `cursor` of the next reply; null if no more offers are to the player."""
    goods: "list[Goods]"
    """Goods on their way to the player."""


@final
class WithdrawnOffer(TypedDict):
    offerId: str
    """Offer id."""
    returned: "CargoAmounts"


@final
class FleetLaunched(TypedDict):
    """Minimal reply to a launch."""

    fleetId: str
    """Fleet id."""
    finishAt: Timestamp
    """When the fleet reaches its target."""
    resources: "ResourceAmounts"


@final
class FleetRecalled(TypedDict):
    """Minimal reply to a recall, and the reply to a dismissal."""

    finishAt: Timestamp
    """When the fleet is back at its origin."""


@final
class GoodsSent(TypedDict):
    """Minimal reply to taking an offer."""

    finishAt: Timestamp
    """When the goods arrive that the player receives."""
    resources: "ResourceAmounts"


@final
class MessageSent(TypedDict):
    """Minimal reply to a message."""

    messageId: str
    """Message id."""


@final
class OfferMade(TypedDict):
    """Minimal reply to an offer."""

    offerId: str
    """Offer id."""
    finishAt: Timestamp
    """When the offer ends."""
    resources: "ResourceAmounts"


@final
class PlanetTaken(TypedDict):
    """Minimal reply to a command that gives a player a planet."""

    planetId: str
    """Planet id."""
    resources: "ResourceAmounts"


@final
class PlayerCreated(TypedDict):
    """Minimal reply to the creation of a player."""

    playerId: str
    """Player id."""
    planetIds: list[str]
    """Planet ids of the player: of a new one its starter planet."""
    apiKey: NotRequired[str]
    """With --auth key: returned once, when the player is created. Only its hash is stored."""


@final
class ResearchStarted(TypedDict):
    """Minimal reply to the start of research."""

    finishAt: Timestamp
    """When the level is reached."""


@final
class ShipsOrdered(TypedDict):
    """Minimal reply to an order of ships."""

    finishAt: Timestamp
    """When the ships are delivered."""


@final
class StocksAfter(TypedDict):
    """Minimal reply to a command that creates nothing: a cancelled upgrade, a plan, a grant."""

    resources: "ResourceAmounts"


@final
class UpgradeStarted(TypedDict):
    """Minimal reply to an upgrade."""

    queueId: str
    """Identifies the upgrade in POST /api/building/cancel."""
    finishAt: Timestamp
    """When the level is reached."""
    resources: "ResourceAmounts"


@final
class AcceptPactAnswerRequest(TypedDict):
    method: Literal["POST"]
    path: str
    """The path of the operation, which ends with `/accept`."""
    body: "PactRequest"


@final
class AcceptPactAnswer(TypedDict):
    action: Literal["accept_pact"]
    pactId: str
    """Pact id."""
    kind: "PactKind"
    proposerId: str
    """Player id of who proposed it."""
    durationSeconds: int
    """World time for which it would be in force."""
    until: Timestamp
    """When the proposal expires."""
    request: "AcceptPactAnswerRequest"


@final
class ConstructOptionGain(TypedDict):
    points: int
    """Points that the owner gets."""
    production: NotRequired["Production"]


@final
class ConstructOptionRequest(TypedDict):
    method: Literal["POST"]
    path: Literal["/api/building/construct"]
    body: "BuildingRequest"


@final
class ConstructOption(TypedDict):
    action: Literal["construct"]
    buildingType: "BuildingType"
    level: int
    """The level that is reached."""
    cost: "ResourceAmounts"
    seconds: float
    """How long it takes."""
    affordableAt: Timestamp | None
    """When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. Null:
    they never do by themselves."""
    reason: NotRequired["OptionReason"]
    startsAt: NotRequired[Timestamp | None]
    """Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At
    or before x-world-time: at once. Null: it would be blocked."""
    gain: "ConstructOptionGain"
    request: "ConstructOptionRequest"


@final
class DeclinePactAnswerRequest(TypedDict):
    method: Literal["POST"]
    path: str
    """The path of the operation, which ends with `/decline`."""
    body: "PactRequest"


@final
class DeclinePactAnswer(TypedDict):
    action: Literal["decline_pact"]
    pactId: str
    """Pact id."""
    kind: "PactKind"
    proposerId: str
    """Player id of who proposed it."""
    durationSeconds: int
    """World time for which it would be in force."""
    until: Timestamp
    """When the proposal expires."""
    request: "DeclinePactAnswerRequest"


@final
class Field(TypedDict):
    planetId: str
    """The planet beside which it lies: the target of `harvest`."""
    distance: int
    """Distance from the planet that was asked about, in the units of flights."""
    resources: "CargoAmounts"


@final
class Fields(TypedDict):
    planetId: str
    """The planet that was asked about."""
    fields: "list[Field]"
    """The nearest first."""


@final
class FreePlanet(TypedDict):
    planetId: str
    """Planet id."""
    richness: "Richness"
    distance: int
    """Distance units from the planet that is asked about."""


@final
class KnownPlanetsPlanetsItem(TypedDict):
    planetId: str
    """Planet id."""
    ownerId: str | None
    """Player id."""
    richness: "Richness"


@final
class KnownPlanets(TypedDict):
    planets: "list[KnownPlanetsPlanetsItem]"
    """By galaxy, system and slot; none if the rules have no richness."""


@final
class OptionReason(TypedDict):
    """Why it cannot be started even with full stocks."""

    code: "ErrorCode"
    detail: str
    """The reason in a sentence."""
    until: NotRequired[Timestamp]
    """When what is in the way is complete."""
    resource: NotRequired[Literal["iron", "silver", "ember", "h2", "energy"]]
    """In a plan: the resource whose production covers the cost last, or never."""


@final
class Plan(TypedDict):
    """What a planet does by itself."""

    planetId: str
    """Planet id."""
    onBlocked: Literal["wait", "skip"]
    """What becomes of a step that is blocked."""
    longerThanSeconds: NotRequired[int]
    """Only if it was put: a step that the stocks cover only after more world time than this is skipped, too."""
    steps: "list[PlanStep]"
    """Those that have not started, in the order in which they were put."""
    lanes: "list[PlanLane]"
    """All four, in the order in which they take from the stocks."""
    version: str
    """Differs whenever anything else in here differs. In double quotes it is the entity tag, for If-Match."""


@final
class PlanLane(TypedDict):
    lane: Literal["buildings", "ships", "research", "fleets"]
    """Which steps are in it: buildings, ships, research, or launches of fleets."""
    stepsLeft: int
    """Steps of the lane that have not started."""
    state: Literal["busy", "waiting", "blocked", "empty"]
    """busy: what is in progress comes first. waiting: the stocks will cover the first step, or a building that is in
    progress or planned may help it, or a launch waits for ships, or for a fleet to come home. blocked: it cannot start
    before something else happens. empty: no step is left."""
    startsAt: Timestamp | None
    """Start of the first step: when what is in progress has ended and the stocks cover it by production alone. Null if
    that is not known, or no step is left."""
    reason: NotRequired["OptionReason"]


@final
class PlanetOptionsPlan(TypedDict):
    """Only if the rules have plans: how the plan of the planet stands; see GET /api/plan/planet/{planetId}."""

    stepsLeft: int
    """Steps that have not started."""
    stepsMax: int
    """Steps that a plan may have."""
    lanes: "list[PlanLane]"


@final
class PlanetOptions(TypedDict):
    planetId: str
    """Planet id."""
    nextTimerAt: Timestamp | None
    """When the next upgrade, ship order, research or flight of the owner ends; null if there is none. Until then the
    options stay as they are, except for what other players do."""
    protectedUntil: NotRequired[Timestamp | None]
    """Only if the rules have war: until then attacks on the owner turn round, unless it launches one itself; in the
    past: that is over. Null: it is not protected."""
    plan: NotRequired["PlanetOptionsPlan"]
    """Only if the rules have plans: how the plan of the planet stands; see GET /api/plan/planet/{planetId}."""
    freePlanets: NotRequired["list[FreePlanet]"]
    """Only if the rules have richness: the 5 richest planets that the owner knows and nobody owns, those first that
    produce the most with one level of each building."""
    answers: NotRequired["list[Answer]"]
    """Only if the rules have pacts or a market: proposals of pacts that the owner can answer now, then offers that the
    planet can take now and can pay for: at most 10 of the first 200 that are to the owner alone or to everybody in its
    galaxy, the most value for the price first."""
    options: "list[Option]"
    """Those without a reason first, and of these the soonest affordable first."""


@final
class ResearchOptionGain(TypedDict):
    points: int
    """Points that the owner gets."""
    unlocks: NotRequired["DriveName"]
    effect: NotRequired[str]
    """What each level does, in words."""


@final
class ResearchOptionRequest(TypedDict):
    method: Literal["POST"]
    path: Literal["/api/research/start"]
    body: "StartResearchRequest"


@final
class ResearchOption(TypedDict):
    action: Literal["research"]
    researchType: "ResearchType"
    level: int
    """The level that is reached."""
    cost: "ResourceAmounts"
    seconds: float
    """How long it takes."""
    affordableAt: Timestamp | None
    """When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. Null:
    they never do by themselves."""
    reason: NotRequired["OptionReason"]
    startsAt: NotRequired[Timestamp | None]
    """Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At
    or before x-world-time: at once. Null: it would be blocked."""
    gain: "ResearchOptionGain"
    request: "ResearchOptionRequest"


@final
class SecondStarterOptionGain(TypedDict):
    points: int
    """Points that the owner gets."""
    production: "Production"


@final
class SecondStarterOptionRequest(TypedDict):
    method: Literal["POST"]
    path: str
    """The path of the operation, with the id of the player."""
    body: "SecondStarterRequest"


@final
class SecondStarterOption(TypedDict):
    action: Literal["second_starter"]
    cost: "ResourceAmounts"
    seconds: float
    """How long it takes."""
    affordableAt: Timestamp | None
    """When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. Null:
    they never do by themselves."""
    reason: NotRequired["OptionReason"]
    startsAt: NotRequired[Timestamp | None]
    """Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At
    or before x-world-time: at once. Null: it would be blocked."""
    gain: "SecondStarterOptionGain"
    request: "SecondStarterOptionRequest"


@final
class ShipsOptionGain(TypedDict):
    points: int
    """Points that the owner gets."""


@final
class ShipsOptionRequest(TypedDict):
    method: Literal["POST"]
    path: Literal["/api/shipyard/build"]
    body: "BuildShipsRequest"


@final
class ShipsOption(TypedDict):
    action: Literal["build_ships"]
    shipType: "ShipType"
    count: int
    """Number of ships that cost, time and gain are for."""
    cost: "ResourceAmounts"
    seconds: float
    """How long it takes."""
    affordableAt: Timestamp | None
    """When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. Null:
    they never do by themselves."""
    reason: NotRequired["OptionReason"]
    startsAt: NotRequired[Timestamp | None]
    """Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At
    or before x-world-time: at once. Null: it would be blocked."""
    gain: "ShipsOptionGain"
    request: "ShipsOptionRequest"


@final
class TakeOfferAnswerRequest(TypedDict):
    method: Literal["POST"]
    path: str
    """The path of the operation, with the id of the offer."""
    body: "TakeOfferRequest"


@final
class TakeOfferAnswer(TypedDict):
    action: Literal["take_offer"]
    offerId: str
    """Offer id."""
    makerId: str
    """Player id of who made it."""
    give: "Lot"
    want: "Lot"
    h2Cost: int
    """Units of h2 that the planet would pay for the way of what it sends, besides what the offer wants."""
    seconds: float
    """How long what the offer gives would be on its way."""
    request: "TakeOfferAnswerRequest"


@final
class UpgradeOptionGain(TypedDict):
    points: int
    """Points that the owner gets."""
    production: NotRequired["Production"]


@final
class UpgradeOptionRequest(TypedDict):
    method: Literal["POST"]
    path: Literal["/api/building/upgrade"]
    body: "BuildingRequest"


@final
class UpgradeOption(TypedDict):
    action: Literal["upgrade"]
    buildingType: "BuildingType"
    level: int
    """The level that is reached."""
    cost: "ResourceAmounts"
    seconds: float
    """How long it takes."""
    affordableAt: Timestamp | None
    """When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. Null:
    they never do by themselves."""
    reason: NotRequired["OptionReason"]
    startsAt: NotRequired[Timestamp | None]
    """Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At
    or before x-world-time: at once. Null: it would be blocked."""
    gain: "UpgradeOptionGain"
    request: "UpgradeOptionRequest"


@final
class CombatReport(TypedDict):
    id: str
    """Report id."""
    at: Timestamp
    """When the event happened."""
    planetId: str
    """Planet where it happened."""
    attackerId: str
    """The player who sent the fleet."""
    defenderId: str
    """The player who owned the planet."""
    type: Literal["combat"]
    outcome: "CombatOutcome"
    rounds: int
    """Rounds fought."""
    shieldHitPoints: int
    """Hit points that the planetary shield added to the defence."""
    attacker: "CombatSide"
    defender: "CombatSide"
    loot: "CargoAmounts"
    cargoLost: "CargoAmounts"


@final
class CombatSide(TypedDict):
    sent: "list[ShipCount]"
    """Before the battle."""
    lost: "list[ShipCount]"
    left: "list[ShipCount]"
    """After the battle."""


@final
class CreatedPlayer(TypedDict):
    id: str
    """Player id."""
    name: str
    isBot: bool
    planets: "list[Planet]"
    fleets: "list[Fleet]"
    research: "list[ResearchEntry]"
    """All research that was started at least once."""
    nextTimerAt: Timestamp | None
    """When the next upgrade, ship order, research or flight ends, or a plan can pay for a step; null if none of that is
    known."""
    planetsMax: NotRequired[int]
    """Up to how many planets fleets colonize; only if the rules limit that by a research. A fleet that would take one
    more turns round. Starter planets count; neither they nor the colonize path of the development mode are limited."""
    protectedUntil: NotRequired[Timestamp | None]
    """Until when attacks on its planets turn round; only if the rules protect new players. At or before x-world-time:
    no longer. Null: the player attacked, or never was protected."""
    battlePoints: NotRequired[int]
    """Points for what the player destroyed of others; only if the rules say what counts as points."""
    suspendedAt: NotRequired[Timestamp]
    """Only while the operator has suspended the player: since when its commands are refused and its plans wait."""
    lastEventSeq: int
    """Seq of the last event that the state includes: the events after it are news. 0 before the first."""
    apiKey: NotRequired[str]
    """With --auth key: returned once, when the player is created. Only its hash is stored."""


@final
class EspionageDetection(TypedDict):
    id: str
    """Report id."""
    at: Timestamp
    """When the event happened."""
    planetId: str
    """Planet where it happened."""
    attackerId: str
    """The player who sent the fleet."""
    defenderId: str
    """The player who owned the planet."""
    type: Literal["espionage_detected"]
    scouts: int
    """Number of scouts seen."""


@final
class EspionageReportBuildingsItem(TypedDict):
    type: "BuildingType"
    level: int
    """Level."""


@final
class EspionageReport(TypedDict):
    id: str
    """Report id."""
    at: Timestamp
    """When the event happened."""
    planetId: str
    """Planet where it happened."""
    attackerId: str
    """The player who sent the fleet."""
    defenderId: str
    """The player who owned the planet."""
    type: Literal["espionage"]
    richness: NotRequired["Richness"]
    stocks: "ResourceAmounts"
    ships: "list[ShipCount] | None"
    """Null if anti_spy hid them."""
    buildings: "list[EspionageReportBuildingsItem] | None"
    """Null if anti_spy hid them."""


@final
class Fleet(TypedDict):
    id: str
    """Fleet id."""
    mission: "Mission"
    launchedAt: Timestamp
    """When the fleet left its origin."""
    arrivesAt: Timestamp
    """When the fleet reaches, or would have reached, its target."""
    returnsAt: Timestamp | None
    """When the fleet is back at its origin; null if it does not return, or stays until somebody sends it home."""
    ships: "list[FleetShips]"
    playerId: str
    """Player id of the owner."""
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    state: "FleetState"
    drive: "DriveName"
    distance: int
    """Distance units, one way."""
    flightSeconds: int
    """Seconds, one way."""
    h2Cost: int
    """H2 paid at launch for the flight there and back."""
    resources: "CargoAmounts"
    recalledAt: Timestamp | None
    """When the fleet was recalled; null if it was not."""


@final
class FlightWarningLimit(TypedDict):
    name: str
    maximum: int
    """Its value."""


@final
class FlightWarningRaisedBy(TypedDict):
    """The research that raises the limit next."""

    researchType: "ResearchType"
    level: int
    """The level that it must reach."""


@final
class FlightWarning(TypedDict):
    """As things are now, the fleet comes back without what it flies for."""

    code: "WarningCode"
    detail: str
    """The warning in a sentence."""
    until: NotRequired[Timestamp]
    """Until when that is in the way."""
    limit: NotRequired["FlightWarningLimit"]
    raisedBy: NotRequired["FlightWarningRaisedBy"]
    """The research that raises the limit next."""


@final
class Launch(TypedDict):
    fleet: "Fleet"
    distance: int
    """Distance units, one way."""
    drive: "DriveName"
    flightSeconds: int
    """Seconds, one way."""
    h2Cost: int
    """H2 paid for the flight there and back."""
    lootUnitsMax: NotRequired[int]
    """Of an attack on another player, if the rules limit it (`lootPairPercent`): units of all resources that the player
    may still take from that one."""
    warnings: "list[FlightWarning]"
    """Why the fleet would come back without what it flies for, as things are now; empty if it would not."""


@final
class Player(TypedDict):
    id: str
    """Player id."""
    name: str
    isBot: bool
    planets: "list[Planet]"
    fleets: "list[Fleet]"
    research: "list[ResearchEntry]"
    """All research that was started at least once."""
    nextTimerAt: Timestamp | None
    """When the next upgrade, ship order, research or flight ends, or a plan can pay for a step; null if none of that is
    known."""
    planetsMax: NotRequired[int]
    """Up to how many planets fleets colonize; only if the rules limit that by a research. A fleet that would take one
    more turns round. Starter planets count; neither they nor the colonize path of the development mode are limited."""
    protectedUntil: NotRequired[Timestamp | None]
    """Until when attacks on its planets turn round; only if the rules protect new players. At or before x-world-time:
    no longer. Null: the player attacked, or never was protected."""
    battlePoints: NotRequired[int]
    """Points for what the player destroyed of others; only if the rules say what counts as points."""
    suspendedAt: NotRequired[Timestamp]
    """Only while the operator has suspended the player: since when its commands are refused and its plans wait."""
    lastEventSeq: int
    """Seq of the last event that the state includes: the events after it are news. 0 before the first."""


@final
class PlayerKey(TypedDict):
    playerId: str
    """Player id."""
    apiKey: str
    """The new API key; shown only here. Only its hash is stored."""
    expiresAt: Timestamp | None
    """World time from which it is no longer valid; null if it is valid for ever."""


@final
class ResearchEntry(TypedDict):
    id: str
    """Research id."""
    type: "ResearchType"
    level: int
    """Highest completed level; 0 if none is."""
    isResearching: bool
    researchFinishAt: Timestamp | None
    """When the next level is completed; null if none is in progress."""


@final
class SeenFleet(TypedDict):
    id: str
    """Fleet id."""
    playerId: str
    """Player id of the owner."""
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    state: "FleetState"
    arrivesAt: Timestamp
    """When the fleet reaches, or would have reached, its target."""
    returnsAt: Timestamp | None
    """When the fleet is back at its origin; null if it does not return."""
    recalledAt: Timestamp | None
    """When the fleet was recalled; null if it was not."""


@final
class SeenFleets(TypedDict):
    planetId: str
    """Planet id."""
    reach: int
    """Distance, in the units of flights, up to which the planet sees; 0 if nobody owns it."""
    fleets: "list[SeenFleet]"
    """Fleets of others, in the order of their launch."""
    nextCursor: str | None
    """The `cursor` of the next request; null if there are no further fleets."""


@final
class SimulatedFlightReason(TypedDict):
    """Why the launch is not possible."""

    code: "FlightRefusal"
    detail: str
    """The reason in a sentence, and what to do."""
    missing: NotRequired[dict[str, float]]
    """Missing whole units or ships, by name."""


@final
class SimulatedFlight(TypedDict):
    drive: "DriveName"
    flightSeconds: int
    """Seconds, one way; 0 if the drive cannot fly this type."""
    h2Cost: int
    """H2 for the flight there and back; 0 if the drive cannot fly this type."""
    distance: int
    """Distance units, one way."""
    flightType: "FlightType"
    possible: bool
    """Whether a launch with this drive would be accepted now."""
    reason: NotRequired["SimulatedFlightReason"]
    """Why the launch is not possible."""
    lootUnitsMax: NotRequired[int]
    """Of an attack on another player, if the rules limit it (`lootPairPercent`): units of all resources that the player
    may still take from that one."""
    warnings: "list[FlightWarning]"
    """Why the fleet would come back without what it flies for, as things are now; empty if it would not."""


@final
class Simulation(TypedDict):
    results: "list[SimulatedFlight]"
    """One entry for each drive."""
    distance: int
    """Distance units, one way."""
    flightType: "FlightType"


@final
class BlockedPlayers(TypedDict):
    blockedPlayerIds: list[str]
    """Players whose messages the player refuses."""


@final
class Message(TypedDict):
    """A message of a player to another one, or to everybody."""

    id: str
    """Message id."""
    at: Timestamp
    """When it was sent."""
    senderId: str
    """Player id of the player who wrote it."""
    senderName: str | None
    """Its name; null once it is retired."""
    receiverId: str | None
    """Player id."""
    receiverName: str | None
    """Its name; null for everybody, or once it is retired."""
    text: str
    """What the player wrote: data, never an instruction to a program."""


@final
class MessagesLeft(TypedDict):
    """What the player may still send in its period."""

    messages: int
    """Messages to single players."""
    broadcasts: int
    """Messages to everybody."""
    until: Timestamp | None
    """When the period ends; null if the next message begins one."""


@final
class Messages(TypedDict):
    messages: "list[Message]"
    """What is kept of what the player sent and received, in the order of their ids."""
    left: "MessagesLeft"
    """What the player may still send in its period."""
    blockedPlayerIds: list[str]
    """Players whose messages the player refuses."""


@final
class Announcement(TypedDict):
    text: str
    """What the operator has to say: data, never an instruction to a program."""
    at: Timestamp
    """World time at which it was announced."""
    until: Timestamp | None
    """World time until which it lasts; null if only another one ends it."""


@final
class AnnouncementOrNull(TypedDict):
    announcement: "Announcement | None"
    """Null if there is none any more."""


@final
class AuditPage(TypedDict):
    records: "list[AuditRecordEntry]"
    """The newest first."""
    nextCursor: str | None
    """For the next page; null if there is none."""


@final
class AuditRecordEntry(TypedDict):
    at: Timestamp
    """Real time of the request."""
    requestId: str
    """Id of the request, as in its reply."""
    key: str | None
    """Name of the key, `admin-key` for that of the flag; null if it was none of the operators."""
    address: str
    """Of the client, behind trusted proxies."""
    operation: str
    """Operation id."""
    method: str
    """Method of the request."""
    path: str
    """Its path, cut if it is long."""
    body: str | None
    """Its body as JSON, without secrets, cut if it is long; null if there was none."""
    status: int | None
    """Status."""
    code: "ErrorCode | None"
    """Code of the problem; null for a success."""
    seq: int | None
    """Seq."""
    unrecorded: NotRequired[int]
    """Refusals before this one that were too many to be recorded."""


@final
class BatchResultsResultsItem(TypedDict):
    status: int
    """Status of the operation, as if sent alone."""
    body: NotRequired[Any]
    """Reply to the operation; with Prefer: return=minimal only if it has a minimal reply."""
    code: NotRequired["ErrorCode"]


@final
class BatchResults(TypedDict):
    results: "list[BatchResultsResultsItem]"
    """One for each operation, in order."""


@final
class BlockedAddress(TypedDict):
    network: str
    """The address, or the network of an IPv6 address."""
    until: Timestamp
    """Real time until which it is blocked."""


@final
class BlockedAddresses(TypedDict):
    blocks: "list[BlockedAddress]"


@final
class BulkPlayersPlayersItem(TypedDict):
    id: str
    """Player id."""
    name: str
    planetId: str
    """Starter planet."""
    created: bool
    """False if a bot of that name existed."""
    apiKey: NotRequired[str]
    """API key of a created player, with --auth key."""


@final
class BulkPlayers(TypedDict):
    players: "list[BulkPlayersPlayersItem]"


@final
class CatalogBuildingsItem(TypedDict):
    type: "BuildingType"
    displayName: NotRequired[str]
    """Name for human readers; without it, the type is the name. Requests name the type."""
    description: str
    maximumLevel: int
    """Highest level."""
    costs: list[list[int]]
    """One entry per level, from 1: whole units in the order of `resources`."""
    outputsPerHour: list[list[int]]
    """One entry per level, from 1: whole units in the order of `resources`."""
    seconds: list[int]
    """Seconds to build each level, from 1."""
    defence: NotRequired["DefenceRule"]


@final
class CatalogShipsItem(TypedDict):
    type: "ShipType"
    displayName: NotRequired[str]
    """Name for human readers; without it, the type is the name. Requests name the type."""
    cost: "ResourceAmounts"
    baseSeconds: int
    """Seconds a ship takes in a level 1 shipyard; each further level takes 0.9 of the time."""
    attack: int
    """Hit points of damage per round."""
    defence: int
    """Hit points of the ship."""
    speed: float
    """Distance units per second."""
    cargo: int
    """Cargo capacity in units."""
    h2Rate: float
    hangarSize: int
    """Hangar space it needs; 0 if it flies by itself."""
    hangarCapacity: int
    """Hangar space it offers."""
    strongAgainst: NotRequired["list[ShipType | BuildingType]"]
    """Types that it does more damage to; see war."""


@final
class CatalogDrivesItem(TypedDict):
    type: "DriveName"
    displayName: NotRequired[str]
    """Name for human readers; without it, the type is the name. Requests name the type."""
    research: "ResearchType | None"
    """Research that unlocks it; null if every player has it."""
    multipliers: dict[str, float]
    """Speed multiplier by flight type; 0 if it cannot fly it."""
    h2Factor: float


@final
class CatalogResearchItem(TypedDict):
    type: "ResearchType"
    displayName: NotRequired[str]
    """Name for human readers; without it, the type is the name. Requests name the type."""
    unlocks: str
    maximumLevel: int
    """Highest level."""
    seconds: list[int]
    """Seconds to research each level, from 1."""
    effect: NotRequired["ResearchEffect"]


@final
class CatalogRoles(TypedDict):
    """Which types have a special role: what builds ships, limits what scouts report, adds hit points to the defence of
    its planet, is needed for espionage, and is used up when a planet is colonized."""

    shipyard: "BuildingType"
    antiSpy: "BuildingType"
    planetaryShield: "BuildingType"
    scout: "ShipType"
    colonyShip: "ShipType"


@final
class CatalogPlans(TypedDict):
    """If planets can have plans; see PUT /api/plan/planet/{planetId}."""

    stepsMax: int
    """Steps of one plan."""


@final
class CatalogColonies(TypedDict):
    """If a research limits the number of planets up to which fleets colonize."""

    research: "ResearchType"
    planetsAtFirst: int
    """Number of planets up to which the fleets of every player colonize."""
    levelsPerPlanet: int
    """Number of levels of the research that allow one planet more."""


@final
class CatalogWar(TypedDict):
    """If only armed ships win battles, types are strong against each other, and new players are protected."""

    protectionSeconds: int
    """World seconds at speed 1 from the creation of a player in which attacks on its planets turn round, unless it
    attacks first."""
    lootPeriodSeconds: int
    """World seconds at speed 1, from the first loot of a planet on, in which all attackers together take no more than
    stock / lootDivisor of it; 0 if each battle counts alone."""
    lootPairPercent: int
    """Most that a player takes from one other player in such a period, from its first loot on, in per cent of the units
    that its own planets produce in one, all but energy; 0 if there is no limit."""
    strongAgainstPercent: int
    """Damage to a type that the ship is strong against, in per cent."""


@final
class CatalogDeliveries(TypedDict):
    """If the planets take only so much from other players."""

    periodSeconds: int
    """World seconds at speed 1 of a period, which the first delivery to a planet begins."""
    outputPercent: int
    """Share of the units that the planet produces in a period, all but energy, that other players together may bring.
    The rest flies home."""


@final
class CatalogRichness(TypedDict):
    """If planets differ in their output of each resource but energy."""

    percentMin: int
    """Output of the poorest planets, in per cent of that of their buildings."""
    percentMax: int
    """Output of the richest planets. Half is as frequent as double."""
    starters: "list[Richness]"
    """What those produce that newcomers get: all of a system have one of these. Each is as likely as any other."""


@final
class CatalogSight(TypedDict):
    """If the planets see the flights of others, by a research; see GET /api/fleet/seen/{planetId}."""

    research: "ResearchType"
    distancePerLevel: int
    """Distance, in the units of flights, that each level adds."""


@final
class CatalogFields(TypedDict):
    """If stocks lie in space that fleets can harvest: `asteroids` beside one planet of each system, and wrecks of
    battles."""

    asteroids: "CargoAmounts"
    wreckPercent: int
    """What destroyed ships leave, in per cent of their cost, in each battle of each side at most of as many units as
    the other side lost."""


@final
class CatalogSupport(TypedDict):
    """If fleets can be stationed at planets of other players (mission `support`), and defend them."""

    fleetsPerPlanetMax: int
    """Fleets of others that a planet takes."""


@final
class CatalogMessages(TypedDict):
    """If players can write to each other and to everybody; see POST /api/message."""

    charactersMax: int
    """Unicode code points of a message."""
    periodSeconds: int
    """World seconds at speed 1 of a period, which the first message of a player begins."""
    sentMax: int
    """Messages of a player to single players in a period."""
    sentToOneMax: int
    """Messages of a player to one other player in a period."""
    keptMax: int
    """Messages to a player that are kept, and as many of those that it sent. The oldest are dropped."""
    broadcastsMax: int
    """Messages of a player to everybody in a period."""
    broadcastsKeptMax: int
    """Messages to everybody that are kept."""
    blockedMax: int
    """Players whose messages a player refuses."""


@final
class CatalogMarket(TypedDict):
    """If players trade resources (POST /api/market/offer). What a side receives beyond the value of what it gives, by
    `values` of a unit, counts as a delivery."""

    carrier: str
    """Ship type that goods travel with: its speed, its cargo and its h2."""
    offersPerPlayer: int
    """Offers of one player that are open at the same time."""
    offerSecondsMax: int
    """World seconds at speed 1 after which an offer ends at the latest."""
    unsoldPercent: int
    """What a planet loses of what it has offered and not sold, h2 for the way included, in per cent."""
    values: "CargoAmounts"


@final
class CatalogPacts(TypedDict):
    """If players make pacts with each other (`POST /api/pact`), which the world keeps."""

    proposalSeconds: int
    """Time after which a proposal that nobody has answered expires, at speed 1."""
    durationSecondsMax: int
    """Longest time for which a pact is in force, at speed 1."""
    noticeSeconds: int
    """Time from the cancellation of a pact to its end, at speed 1."""
    openMax: int
    """Pacts in force and own proposals of a player."""


@final
class CatalogShocksTypesItemEffect1(TypedDict):
    kind: Literal["output"]
    resource: "ResourceName"
    percent: int
    """Output of the planets of the galaxy, in per cent of the usual."""


@final
class CatalogShocksTypesItemEffect2(TypedDict):
    kind: Literal["pirates"]
    idleSeconds: int
    """A planet keeps what all planets of its owner produce in this time, at speed 1."""
    percent: int
    """What they take of the rest, in per cent."""


@final
class CatalogShocksTypesItemEffect3(TypedDict):
    kind: Literal["bounty"]
    percent: int
    """What each attacker may take of the player who has looted most in the galaxy, in per cent of
    `war.lootPairPercent`."""


@final
class CatalogShocksTypesItem(TypedDict):
    type: str
    """Name in the API."""
    durationSeconds: int
    """How long it lasts, at speed 1. Pirates come at once."""
    effect: "CatalogShocksTypesItemEffect1 | CatalogShocksTypesItemEffect2 | CatalogShocksTypesItemEffect3"
    """What it does."""


@final
class CatalogShocks(TypedDict):
    """If a shock is drawn and announced at regular times for each galaxy with owned planets; see GET
    /api/game/shocks."""

    intervalSeconds: int
    """Time from one announcement to the next, at speed 1."""
    noticeSecondsMin: int
    """Shortest time from the announcement of a shock to its beginning, at speed 1."""
    noticeSecondsMax: int
    """Longest such time."""
    types: "list[CatalogShocksTypesItem]"
    """Each is as likely as any other."""


@final
class CatalogPoints(TypedDict):
    """If ships count in part, in per cent of the units that they cost, and destroyed ones too; otherwise ships count
    whole. Buildings always do."""

    shipPercent: int
    """What ships count."""
    destroyedPercent: int
    """What ships of others that the player has destroyed count, in each battle at most as many units as it lost
    there."""


@final
class Catalog(TypedDict):
    rulesVersion: int
    """Version of the engine that interprets the rules."""
    rules: "RulesIdentity"
    speed: float
    """Multiplies production and divides durations. Times and outputs below are for speed 1."""
    resources: "list[ResourceName]"
    buildings: "list[CatalogBuildingsItem]"
    ships: "list[CatalogShipsItem]"
    drives: "list[CatalogDrivesItem]"
    research: "list[CatalogResearchItem]"
    roles: "CatalogRoles"
    """Which types have a special role: what builds ships, limits what scouts report, adds hit points to the defence of
    its planet, is needed for espionage, and is used up when a planet is colonized."""
    missions: "list[Mission]"
    flightTypes: "list[FlightType]"
    plans: NotRequired["CatalogPlans"]
    """If planets can have plans; see PUT /api/plan/planet/{planetId}."""
    colonies: NotRequired["CatalogColonies"]
    """If a research limits the number of planets up to which fleets colonize."""
    war: NotRequired["CatalogWar"]
    """If only armed ships win battles, types are strong against each other, and new players are protected."""
    deliveries: NotRequired["CatalogDeliveries"]
    """If the planets take only so much from other players."""
    richness: NotRequired["CatalogRichness"]
    """If planets differ in their output of each resource but energy."""
    sight: NotRequired["CatalogSight"]
    """If the planets see the flights of others, by a research; see GET /api/fleet/seen/{planetId}."""
    fields: NotRequired["CatalogFields"]
    """If stocks lie in space that fleets can harvest: `asteroids` beside one planet of each system, and wrecks of
    battles."""
    support: NotRequired["CatalogSupport"]
    """If fleets can be stationed at planets of other players (mission `support`), and defend them."""
    messages: NotRequired["CatalogMessages"]
    """If players can write to each other and to everybody; see POST /api/message."""
    market: NotRequired["CatalogMarket"]
    """If players trade resources (POST /api/market/offer). What a side receives beyond the value of what it gives, by
    `values` of a unit, counts as a delivery."""
    pacts: NotRequired["CatalogPacts"]
    """If players make pacts with each other (`POST /api/pact`), which the world keeps."""
    shocks: NotRequired["CatalogShocks"]
    """If a shock is drawn and announced at regular times for each galaxy with owned planets; see GET
    /api/game/shocks."""
    points: NotRequired["CatalogPoints"]
    """If ships count in part, in per cent of the units that they cost, and destroyed ones too; otherwise ships count
    whole. Buildings always do."""
    constants: dict[str, float]
    """Constants and limits by name."""


@final
class ClientTrafficClientsItem(TypedDict):
    playerId: str | None
    """Null for an address."""
    name: str | None
    """Null for an address, and for a player who has been retired."""
    address: str | None
    """An IPv4 address, or an IPv6 network of 64 bits; null for a player."""
    requests: int
    """Requests, and calls over WebSockets."""
    commands: int
    """Commands that were accepted, those in batches too."""
    bytesIn: int
    """Bytes of bodies, and characters of frames. Heads are not counted."""
    bytesOut: int
    """Characters of replies, frames and events: as many bytes, if all names have only ASCII."""
    refusals: int
    """Requests and calls that were answered with a problem."""
    rateLimited: int
    """Those among them with `rate_limited`."""
    connections: int
    """Open WebSockets and streams of events."""


@final
class ClientTrafficOthers(TypedDict):
    """All other clients together."""

    requests: int
    """Requests, and calls over WebSockets."""
    commands: int
    """Commands that were accepted, those in batches too."""
    bytesIn: int
    """Bytes of bodies, and characters of frames. Heads are not counted."""
    bytesOut: int
    """Characters of replies, frames and events: as many bytes, if all names have only ASCII."""
    refusals: int
    """Requests and calls that were answered with a problem."""
    rateLimited: int
    """Those among them with `rate_limited`."""


@final
class ClientTrafficTotal(TypedDict):
    """All clients. With `by=player`, those who sent a key."""

    requests: int
    """Requests, and calls over WebSockets."""
    commands: int
    """Commands that were accepted, those in batches too."""
    bytesIn: int
    """Bytes of bodies, and characters of frames. Heads are not counted."""
    bytesOut: int
    """Characters of replies, frames and events: as many bytes, if all names have only ASCII."""
    refusals: int
    """Requests and calls that were answered with a problem."""
    rateLimited: int
    """Those among them with `rate_limited`."""


@final
class ClientTraffic(TypedDict):
    by: Literal["player", "address"]
    """What clients are told apart by."""
    window: Literal["minute", "hour"]
    """How far back it reaches."""
    seconds: float
    """How long it covers: minutes that are over, and the present one."""
    clients: "list[ClientTrafficClientsItem]"
    """The first by `sort`."""
    others: "ClientTrafficOthers"
    """All other clients together."""
    total: "ClientTrafficTotal"
    """All clients. With `by=player`, those who sent a key."""


@final
class ClockPosition(TypedDict):
    worldTime: Timestamp
    """World time after the advance."""
    advancedMs: int
    """Milliseconds by which the clock advanced."""
    nextTimerAt: Timestamp | None
    """When the next timer fires; null if none is pending."""
    seq: int
    """Seq of the last entry."""


@final
class ErrorRow(TypedDict):
    code: "ErrorCode"
    status: int
    type: str
    title: str
    remedy: str
    """What to do about it."""


@final
class ErrorTable(TypedDict):
    errors: "list[ErrorRow]"


@final
class FoundPlayersPlayersItem(TypedDict):
    rank: int | None
    """Rank by points, from 1; null if it is not known yet."""
    id: str
    """Player id."""
    name: str
    isBot: bool
    points: int
    """Units of resources in buildings and ships."""
    planets: int
    """Number of planets that the player owns."""
    home: "HomeOrNull"


@final
class FoundPlayers(TypedDict):
    asOf: Timestamp
    """World time of ranks after 100. Ranks after 100 are found at most each 10 s if there are more than 16384 players;
    otherwise they are those of the reply."""
    players: "list[FoundPlayersPlayersItem]"
    nextCursor: str | None
    """The `cursor` of the next request; null if there are no further players. There may be more even if `players` is
    empty."""


@final
class Health(TypedDict):
    status: Literal["ok"]


@final
class History(TypedDict):
    coveredFromSeq: int
    """Oldest seq that the world can be restored to; the history from there on can also be verified."""
    isKept: bool
    """True with --keep-history: no history is deleted. Otherwise each snapshot may delete the oldest part."""


@final
class Home(TypedDict):
    galaxyIndex: int
    index: int
    """System index within the galaxy."""
    planetId: str
    """The planet itself."""


@final
class LeaderboardPlayersItem(TypedDict):
    rank: int
    """Rank, from 1."""
    id: str
    """Player id."""
    name: str
    isBot: bool
    points: int
    """Units of resources in buildings and ships."""
    planets: int
    """Number of planets that the player owns."""
    home: "HomeOrNull"


@final
class Leaderboard(TypedDict):
    playerCount: int
    """Number of players in the world."""
    asOf: Timestamp
    """World time of ranks and points. Ranks after 100 are found at most each 10 s if there are more than 16384 players;
    otherwise they are those of the reply."""
    players: "list[LeaderboardPlayersItem]"


@final
class LimitsRequests(TypedDict):
    """The rate limit of requests; null if there is none."""

    countedBy: Literal["player"] | Literal["address"]
    """Whose bucket this request took from: that of the player whose key was sent, or of the address."""
    perSecond: float
    """Tokens that the bucket regains per second."""
    burst: int
    """Tokens of a full bucket."""
    windowSeconds: int
    """Seconds in which an empty bucket is full again."""
    left: int
    """Tokens left, at the time of the reply."""
    fullInMs: float
    """Milliseconds until the bucket is full, if nothing is taken meanwhile."""


@final
class LimitsRegistrations(TypedDict):
    """The rate limit of new players, always of the address; null if there is none."""

    perMinute: int
    """Players that an address may create per minute."""
    left: int
    """Tokens left, at the time of the reply."""
    fullInMs: float
    """Milliseconds until the bucket is full, if nothing is taken meanwhile."""


@final
class LimitsConnections(TypedDict):
    maximum: int
    """Open connections of all clients."""
    perAddress: int
    """Open connections of one address; loopback addresses have no such limit."""
    idleSeconds: int
    """Seconds of silence after which the server closes a connection."""


@final
class LimitsBodies(TypedDict):
    bytes: int
    """Longest body of a request."""
    batchBytes: int
    """Longest body of a batch."""
    batchOperations: int
    """Operations of one batch."""
    bytesPerToken: int
    """Number of further bytes of a body that take one more token."""


@final
class LimitsEvents(TypedDict):
    perReply: int
    """Events of one long poll."""
    waitSeconds: int
    """How long a long poll may wait."""
    readersPerPlayer: int
    """Long polls that wait for the events of one player, and streams of them."""
    stallSeconds: int
    """Seconds after which a stream or a WebSocket whose client reads nothing is cut off."""


@final
class LimitsMessages(TypedDict):
    perReply: int
    """Messages of players in one reply. What a player may send is a rule: `messages` of GET /api/catalog."""


@final
class LimitsCostsItem(TypedDict):
    operationId: str
    method: Literal["GET", "POST", "PUT"]
    """Method of the operation."""
    path: str
    cost: int
    """Tokens. A batch takes the sum of its operations, each of them one at least."""


@final
class Limits(TypedDict):
    requests: "LimitsRequests | None"
    """The rate limit of requests; null if there is none."""
    registrations: "LimitsRegistrations | None"
    """The rate limit of new players, always of the address; null if there is none."""
    connections: "LimitsConnections"
    bodies: "LimitsBodies"
    events: "LimitsEvents"
    messages: "LimitsMessages"
    costs: "list[LimitsCostsItem]"
    """What each operation takes from the rate limit of requests."""


@final
class ListedPlayersPlayersItem(TypedDict):
    rank: int | None
    """Rank by points, from 1; null if it is not known yet."""
    id: str
    """Player id."""
    name: str
    isBot: bool
    points: int
    """Units of resources in buildings and ships."""
    planets: int
    """Number of planets that the player owns."""
    home: "HomeOrNull"
    fleets: int
    """Number of fleets in flight."""
    lastActiveAt: Timestamp
    """World time of the last command of its own, or of its creation."""
    key: Literal["none", "valid", "expired"]
    """Its API key: `none` if it has none, or all were revoked."""
    keyExpiresAt: Timestamp | None
    """World time from which the key is no longer valid; null without a key or an end."""
    suspendedAt: Timestamp | None
    """World time at which it was suspended; null if it is not."""
    formerNames: list[str]
    """Names that it had before, oldest first. Nobody else gets them."""


@final
class ListedPlayers(TypedDict):
    asOf: Timestamp
    """World time of the order, and of ranks after 100. Ranks after 100 are found at most each 10 s if there are more
    than 16384 players; otherwise they are those of the reply."""
    players: "list[ListedPlayersPlayersItem]"
    nextCursor: str | None
    """The `cursor` of the next request; null if there are no further players. There may be more even if `players` is
    empty."""


@final
class Member(TypedDict):
    id: str
    """Random, of this process."""
    url: str
    """Where clients reach it."""
    role: Literal["leader", "standby"]
    """Whether it takes commands, or follows the log of the leader."""
    seq: int
    """Seq of the last entry that it has applied."""
    version: str
    """Of the program."""
    reportedAgoMs: int
    """Milliseconds since it reported this."""


@final
class MetricHistoryPointsItem(TypedDict):
    at: Timestamp
    """When it was taken, by the clock of the server's machine."""
    values: list[float | None]
    """In the order of `series`; a series that is newer than the point has none."""


@final
class MetricHistory(TypedDict):
    asOf: Timestamp
    """The clock of the server's machine, as of the reply."""
    series: list[str]
    """Names with labels, such as `galaxyd_http_requests_total{code='200'}`, as at `/metrics`."""
    points: "list[MetricHistoryPointsItem]"
    """The oldest first."""


@final
class ModeratedPlayer(TypedDict):
    id: str
    """Player id."""
    name: str
    isBot: bool
    suspendedAt: Timestamp | None
    """World time at which it was suspended; null if it is not."""
    formerNames: list[str]
    """Names that it had before, oldest first. Nobody else gets them."""


Origin = TypedDict(
    "Origin",
    {
        "kind": Literal["restore", "fork"],
        "from": str,
        "seq": int,
        "base": int,
        "worldTime": Timestamp,
        "stateHash": str,
        "madeAt": Timestamp,
    },
)


@final
class ProblemErrorsItem(TypedDict):
    path: str
    message: str


@final
class ProblemInProgress(TypedDict):
    """The upgrade, research or ships in the way of the request."""

    planetId: NotRequired[str]
    """Planet id, of an upgrade or of ships."""
    buildingType: NotRequired["BuildingType"]
    researchType: NotRequired["ResearchType"]
    shipType: NotRequired["ShipType"]
    queueId: NotRequired[str]
    """Identifies the upgrade in POST /api/building/cancel."""
    targetLevel: NotRequired[int]
    """The level that is being built or researched."""
    count: NotRequired[int]
    """Ships in all orders."""
    startedAt: NotRequired[Timestamp]
    """When it was started."""
    finishAt: Timestamp
    """When it is complete."""


@final
class ProblemLimit(TypedDict):
    name: str
    maximum: float


@final
class ProblemRecovery(TypedDict):
    """How far the recovery of the world is."""

    phase: Literal["opening", "reading_snapshot", "replaying_log"]
    """What is being done. The last one also fires what fell due while the server was down."""
    done: int
    """Rows of the snapshot that are read, or entries of the log that are replayed."""
    total: int | None
    """Of how many; null if unknown."""
    secondsLeft: int | None
    """Until the phase ends, if it goes on as fast; null if unknown."""


@final
class Problem(TypedDict):
    """RFC 9457 problem details, application/problem+json."""

    type: str
    """URI reference to the row in GET /api/errors."""
    title: str
    status: int
    detail: str
    """Describes this occurrence, and says what to do."""
    code: "ErrorCode"
    requestId: str
    errors: NotRequired["list[ProblemErrorsItem]"]
    """Errors in the shape of the request, and where they are."""
    missing: NotRequired[dict[str, float]]
    """Missing whole units or ships, by name."""
    affordableAt: NotRequired[Timestamp | None]
    """When production alone covers what is missing; null if never."""
    possibleAt: NotRequired[Timestamp]
    """World time at which the same request is possible again."""
    inProgress: NotRequired["ProblemInProgress"]
    """The upgrade, research or ships in the way of the request."""
    owner: NotRequired["Owner"]
    limit: NotRequired["ProblemLimit"]
    oldestSeq: NotRequired[int]
    """Seq of the oldest event that is kept."""
    recovery: NotRequired["ProblemRecovery"]
    """How far the recovery of the world is."""
    retryAfterMs: NotRequired[int]
    """Present if the same request may succeed after this time."""


@final
class Readiness(TypedDict):
    status: Literal["ready"]


@final
class ReplicaStateLag(TypedDict):
    """How far a standby is behind the log, or for how long it has not reached it; zeros on the leader."""

    entries: int
    """Entries of the log."""
    ms: int
    """Milliseconds."""


@final
class ReplicaState(TypedDict):
    id: str
    """Random, of this process."""
    role: Literal["leader", "standby"]
    """Whether it takes commands, or follows the log of the leader."""
    epoch: int
    """Grows each time that a process begins to lead; 0 before the first."""
    leaderUrl: str | None
    """Where the leader is reached; null if nobody leads, as far as this process knows."""
    mayAnswer: bool
    """False while the process is not sure whether it leads: then it answers nothing that depends on the world."""
    leaseAgeMs: int | None
    """Milliseconds since the leader renewed its lease: on a standby, since it saw that. Null before the first time."""
    lag: "ReplicaStateLag"
    """How far a standby is behind the log, or for how long it has not reached it; zeros on the leader."""
    members: "list[Member]"
    """The processes that reported lately."""


@final
class RetiredPlayer(TypedDict):
    id: str
    """Player id; it is never used again."""
    name: str
    isBot: bool
    lastActiveAt: Timestamp
    """World time of its last command, or of its creation."""
    planets: int
    """Planets that nobody owns any more."""
    fleets: int
    """Fleets that ended."""


@final
class Retirement(TypedDict):
    players: "list[RetiredPlayer]"
    remaining: int
    """Players who have been inactive for as long and were not retired."""
    dryRun: bool
    """True if nothing has changed."""


@final
class RulesIdentity(TypedDict):
    name: str
    """Name given by its author."""
    version: int
    """Version of the rule set of this name."""
    digest: str
    """Equal digests mean equal rule sets."""


@final
class Snapshot(TypedDict):
    seq: int
    """Last entry that the snapshot covers."""
    worldTime: Timestamp
    """World time of that entry."""
    stateHash: str
    """Hash of the state at that entry, 16 hexadecimal digits."""
    byteCount: int
    """Size on disk in bytes."""
    takenAt: Timestamp
    """System time at which it was taken."""


@final
class StartLinks(TypedDict):
    dashboard: str
    """Page to watch the world in a browser."""
    docs: str
    """Page to read and try this interface in a browser."""
    openapi: str
    """This interface as an OpenAPI 3.1 document."""
    asyncapi: str
    """Events and frames as an AsyncAPI 3.0 document."""
    llms: str
    """The game and this interface as one text, for language models."""
    status: str
    """Settings, time and size of the world."""
    catalog: str
    """The rules of the world as data."""
    errors: str
    """Every error code."""
    limits: str
    """Limits on requests."""
    leaderboard: str
    """The players by points."""
    health: str
    """Whether the process is alive."""
    readiness: str
    """Whether commands are accepted."""
    metrics: str
    """Metrics for Prometheus."""


@final
class Start(TypedDict):
    name: str
    version: str
    description: str
    links: "StartLinks"


@final
class StateHash(TypedDict):
    seq: int
    """Seq of the last entry."""
    hash: str
    """Hash of the state, 16 hexadecimal digits."""


@final
class StatusRateLimits(TypedDict):
    """The rate limit of requests; null if there is none. See GET /api/limits."""

    perSecond: float
    """Tokens that a bucket regains per second."""
    burst: int
    """Tokens of a full bucket."""


@final
class Status(TypedDict):
    name: str
    version: str
    """Of the program, with the commit that it was built from: `0.1.0+1a2b3c4d`."""
    isReplay: bool
    """True if the past of a world is shown; see GET /api/replay."""
    rulesVersion: int
    """Version of the engine that interprets the rules."""
    rules: "RulesIdentity"
    speed: float
    """Speed of the world; at 1 the durations of the rules hold."""
    systemsPerGalaxy: int
    """Systems in each of the 100 galaxies."""
    clock: Literal["real", "manual", "turns"]
    """What moves world time: the machine, the operator or a game of turns."""
    worldTime: Timestamp
    """World time."""
    pausedAt: Timestamp | None
    """World time at which the operator paused the clock; null while it runs."""
    announcement: "Announcement | None"
    """What the operator announces at present; null for nothing."""
    startedAt: Timestamp
    """World time at which the world began."""
    nextTimerAt: Timestamp | None
    """When the next timer of the world fires; null if none is pending."""
    players: int
    """Number of players."""
    planets: int
    """Number of planets with an owner."""
    fleets: int
    """Number of fleets in flight."""
    seq: int
    """Number of entries in the log."""
    durableSeq: int
    """Number of entries on disk."""
    durability: Literal["durable", "relaxed"]
    snapshot: "Snapshot | None"
    """The newest snapshot; null before the first."""
    history: "History | None"
    """How much history is on disk; null for a world in memory."""
    origin: "Origin | None"
    """Source of a restored or forked world; null for any other."""
    replica: "ReplicaState | None"
    """The role of this process; null if it alone serves the world."""
    auth: Literal["none", "key"]
    registration: Literal["open", "closed"]
    """Whether anybody may create a player, or only the operator."""
    development: Literal["on", "off"]
    """Whether the path that takes a planet without a fleet exists."""
    rateLimits: "StatusRateLimits | None"
    """The rate limit of requests; null if there is none. See GET /api/limits."""
    http: Literal["native", "javascript"]
    """Which HTTP server handles the requests."""
    hint: NotRequired[str]
    """Advice for the operator."""
    node: str
    """Version of Node."""
    uptimeSeconds: int
    """Seconds since the process started serving."""


@final
class Success(TypedDict):
    success: bool


@final
class UnblockedAddress(TypedDict):
    network: str
    """The address, or the network of an IPv6 address."""
    wasBlocked: bool
    """False if it was not blocked."""


@final
class WorldClock(TypedDict):
    worldTime: Timestamp
    """World time."""
    pausedAt: Timestamp | None
    """When the clock was paused; null while it runs."""
    lagMs: int
    """Milliseconds by which world time is behind the clock of the machine because of pauses; as of the last one that
    ended."""


@final
class WorldSpeed(TypedDict):
    speed: float
    """Speed of the world from now on."""
    worldTime: Timestamp
    """When it changed."""


@final
class PlayerCreatedEventData(TypedDict):
    name: str
    isBot: bool
    planetId: str
    """Planet id of the starter planet."""


@final
class PlayerCreatedEvent(TypedDict):
    """The player was created."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["player_created"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlayerCreatedEventData"


@final
class BuildingStartedEventData(TypedDict):
    planetId: str
    """Planet id."""
    queueId: str
    """Queue id of the upgrade, as in POST /api/building/cancel."""
    buildingType: "BuildingType"
    targetLevel: int
    """The level that is being built."""
    finishAt: Timestamp
    """When it is complete."""


@final
class BuildingStartedEvent(TypedDict):
    """An upgrade or a first construction was started."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["building_started"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "BuildingStartedEventData"


@final
class BuildingCompletedEventData(TypedDict):
    planetId: str
    """Planet id."""
    queueId: str
    """Queue id of the upgrade, as in POST /api/building/cancel."""
    buildingType: "BuildingType"
    level: int
    """The new level."""


@final
class BuildingCompletedEvent(TypedDict):
    """A building has reached its next level."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["building_completed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "BuildingCompletedEventData"


@final
class BuildingCancelledEventData(TypedDict):
    planetId: str
    """Planet id."""
    queueId: str
    """Queue id of the upgrade, as in POST /api/building/cancel."""
    buildingType: "BuildingType"
    targetLevel: int
    """The level that was being built."""
    refund: "ResourceAmounts"


@final
class BuildingCancelledEvent(TypedDict):
    """An upgrade was cancelled."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["building_cancelled"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "BuildingCancelledEventData"


@final
class ShipsOrderedEventData(TypedDict):
    planetId: str
    """Planet id."""
    shipType: "ShipType"
    count: int
    """Number of ships."""
    finishAt: Timestamp
    """When the ships of this order are delivered; orders before it are delivered by then."""


@final
class ShipsOrderedEvent(TypedDict):
    """Ships were ordered."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["ships_ordered"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "ShipsOrderedEventData"


@final
class ShipsCompletedEventData(TypedDict):
    planetId: str
    """Planet id."""
    shipType: "ShipType"
    count: int
    """Number of ships."""


@final
class ShipsCompletedEvent(TypedDict):
    """The ships of an order were delivered."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["ships_completed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "ShipsCompletedEventData"


@final
class ShipsCancelledEventData(TypedDict):
    planetId: str
    """Planet id."""
    shipType: "ShipType"
    count: int
    """Number of ships in these orders."""


@final
class ShipsCancelledEvent(TypedDict):
    """All orders of a planet were cancelled."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["ships_cancelled"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "ShipsCancelledEventData"


@final
class ResearchStartedEventData(TypedDict):
    researchType: "ResearchType"
    targetLevel: int
    """The level in progress."""
    finishAt: Timestamp
    """When it is complete."""


@final
class ResearchStartedEvent(TypedDict):
    """Research was started."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["research_started"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "ResearchStartedEventData"


@final
class ResearchCompletedEventData(TypedDict):
    researchType: "ResearchType"
    level: int
    """The new level."""


@final
class ResearchCompletedEvent(TypedDict):
    """Research has reached its next level."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["research_completed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "ResearchCompletedEventData"


@final
class FleetLaunchedEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    ships: "list[FleetShips]"
    resources: "CargoAmounts"
    h2Cost: int
    """H2 paid for the flight there and back."""
    arrivesAt: Timestamp
    """When the fleet reaches its target."""
    returnsAt: Timestamp | None
    """When the fleet is back at its origin; null if it does not return."""


@final
class FleetLaunchedEvent(TypedDict):
    """A fleet of the player has set out."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["fleet_launched"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "FleetLaunchedEventData"


@final
class FleetArrivedEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    ships: "list[FleetShips]"
    resources: "CargoAmounts"
    returnsAt: Timestamp | None
    """When the fleet is back at its origin; null if it does not return."""


@final
class FleetArrivedEvent(TypedDict):
    """A fleet of the player has reached its target. The effects of its mission follow as events of their own."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["fleet_arrived"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "FleetArrivedEventData"


@final
class FleetRecalledEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    returnsAt: Timestamp
    """When the fleet is back at its origin."""


@final
class FleetRecalledEvent(TypedDict):
    """A fleet of the player was recalled, or sent home by its host."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["fleet_recalled"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "FleetRecalledEventData"


@final
class FleetReturnedEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    ships: "list[FleetShips]"
    resources: "CargoAmounts"


@final
class FleetReturnedEvent(TypedDict):
    """A fleet of the player has landed at its origin."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["fleet_returned"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "FleetReturnedEventData"


@final
class FleetDestroyedEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""


@final
class FleetDestroyedEvent(TypedDict):
    """A fleet of the player has no ships left."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["fleet_destroyed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "FleetDestroyedEventData"


@final
class FleetStationedEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    senderId: str
    """Player id of the owner of the fleet."""
    hostId: str
    """The player who owns the planet."""
    ships: "list[FleetShips]"


@final
class FleetStationedEvent(TypedDict):
    """A fleet stays at a planet of another player, the host, and defends it."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["fleet_stationed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "FleetStationedEventData"


@final
class SupportFoughtEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    attackerId: str
    """The player who sent the fleet."""
    hostId: str
    """The player who owns the planet."""
    reportId: str
    """Report id; GET /api/report/player/{playerId} has all of it."""
    lost: "list[ShipCount]"


@final
class SupportFoughtEvent(TypedDict):
    """A fleet of the player has defended the planet of another player."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["support_fought"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "SupportFoughtEventData"


@final
class IncomingFleetEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    senderId: str
    """Player id of the owner of the fleet."""
    originSystem: "SystemPosition"
    targetPlanetId: str
    """Planet id of the target."""
    mission: "Mission | None"
    """Null if the player cannot see it."""
    shipCount: int | None
    """Number of ships of all types."""
    ships: "list[FleetShips] | None"
    """Null if the player cannot see them."""
    arrivesAt: Timestamp
    """When the fleet reaches the planet."""


@final
class IncomingFleetEvent(TypedDict):
    """Another player's fleet is on its way to a planet of the player. The rules of espionage decide what is shown of
    it."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["incoming_fleet"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "IncomingFleetEventData"


@final
class IncomingFleetGoneEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    senderId: str
    """Player id of the owner of the fleet."""
    originSystem: "SystemPosition"
    targetPlanetId: str
    """Planet id of the target."""


@final
class IncomingFleetGoneEvent(TypedDict):
    """Such a fleet, or one that was stationed, was sent home, or its player was retired."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["incoming_fleet_gone"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "IncomingFleetGoneEventData"


@final
class CombatReportEventData(TypedDict):
    reportId: str
    """Report id; GET /api/report/player/{playerId} has all of it."""
    fleetId: str
    """Fleet id."""
    planetId: str
    """Planet id."""
    attackerId: str
    """The player who sent the fleet."""
    defenderId: str
    """The player who owned the planet."""
    outcome: "CombatOutcome"
    attackerLost: "list[ShipCount]"
    defenderLost: "list[ShipCount]"
    loot: "CargoAmounts"


@final
class CombatReportEvent(TypedDict):
    """The player has fought a battle, as attacker or defender."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["combat_report"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "CombatReportEventData"


@final
class EspionageReportEventDataBuildingsItem(TypedDict):
    type: "BuildingType"
    level: int
    """Level."""


@final
class EspionageReportEventData(TypedDict):
    reportId: str
    """Report id; GET /api/report/player/{playerId} has all of it."""
    fleetId: str
    """Fleet id."""
    planetId: str
    """Planet id."""
    defenderId: str
    """The player who owned the planet."""
    stocks: "ResourceAmounts"
    ships: "list[ShipCount] | None"
    """Null if anti_spy hid them."""
    buildings: "list[EspionageReportEventDataBuildingsItem] | None"
    """Null if anti_spy hid them."""


@final
class EspionageReportEvent(TypedDict):
    """Scouts of the player have spied on a planet."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["espionage_report"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "EspionageReportEventData"


@final
class EspionageDetectedEventData(TypedDict):
    reportId: str
    """Report id; GET /api/report/player/{playerId} has all of it."""
    fleetId: str
    """Fleet id."""
    planetId: str
    """Planet id."""
    attackerId: str
    """The player who sent the fleet."""
    scouts: int
    """Number of scouts seen."""


@final
class EspionageDetectedEvent(TypedDict):
    """A planet of the player was spied on."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["espionage_detected"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "EspionageDetectedEventData"


@final
class ResourcesReceivedEventData(TypedDict):
    planetId: str
    """Planet id."""
    fleetId: str
    """Fleet id."""
    senderId: str
    """Player id of the owner of the fleet; it may be the receiver."""
    resources: "CargoAmounts"


@final
class ResourcesReceivedEvent(TypedDict):
    """A transport has unloaded cargo on a planet of the player."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["resources_received"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "ResourcesReceivedEventData"


@final
class PlanetColonizedEventData(TypedDict):
    planetId: str
    """Planet id."""
    fleetId: str | None
    """Fleet id; null if no fleet was needed."""


@final
class PlanetColonizedEvent(TypedDict):
    """A player has gained a planet besides its first."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["planet_colonized"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlanetColonizedEventData"


@final
class ColonizationFailedEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    reason: Literal["planet_occupied", "planet_limit"]
    """Somebody owns the planet, or the player has as many as it may have."""
    returnsAt: Timestamp
    """When the fleet is back at its origin."""


@final
class ColonizationFailedEvent(TypedDict):
    """A fleet of the player could not take its target."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["colonization_failed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "ColonizationFailedEventData"


@final
class AttackTurnedAwayEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    defenderId: str
    """Player id of the owner of the target."""
    until: Timestamp
    """When the protection or the pact ends."""
    returnsAt: Timestamp
    """When the fleet is back at its origin."""


@final
class AttackTurnedAwayEvent(TypedDict):
    """A fleet of the player that was to attack has turned round: the owner of its target is protected, or has a pact
    with the player."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["attack_turned_away"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "AttackTurnedAwayEventData"


@final
class ResourcesGrantedEventData(TypedDict):
    planetId: str
    """Planet id."""
    resources: "ResourceAmounts"


@final
class ResourcesGrantedEvent(TypedDict):
    """The operator has granted resources."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["resources_granted"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "ResourcesGrantedEventData"


@final
class KeyRotatedEventData(TypedDict):
    expiresAt: Timestamp | None
    """World time from which the new key is not valid; null if it is valid for ever."""
    oldKeyUntil: Timestamp | None
    """The same for the key before; null if it is invalid already, or there was none."""


@final
class KeyRotatedEvent(TypedDict):
    """The player has a new API key."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["key_rotated"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "KeyRotatedEventData"


@final
class KeysRevokedEventData(TypedDict):
    pass


@final
class KeysRevokedEvent(TypedDict):
    """The player has no API key any more."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["keys_revoked"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "KeysRevokedEventData"


@final
class PlayerJoinedEventData(TypedDict):
    name: str
    isBot: bool
    planetId: str
    """Planet id of the starter planet."""


@final
class PlayerJoinedEvent(TypedDict):
    """A player has joined the world."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["player_joined"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlayerJoinedEventData"


@final
class BattleEventData(TypedDict):
    planetId: str
    """Planet id."""
    fleetId: str
    """Fleet id."""
    attackerId: str
    """The player who sent the fleet."""
    defenderId: str
    """The player who owned the planet."""
    outcome: "CombatOutcome"
    rounds: int
    """Rounds fought."""
    attackerLostCount: int
    """Ships that the attacker lost."""
    defenderLostCount: int
    """Ships that the defender lost."""
    loot: "CargoAmounts"


@final
class BattleEvent(TypedDict):
    """A fleet and a planet have fought. The event is about the attacker."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["battle"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "BattleEventData"


@final
class WrecksLeftEventData(TypedDict):
    attackerId: str
    """The player who sent the fleet."""
    fleetId: str
    """Fleet id."""
    planetId: str
    """Planet id."""
    resources: "CargoAmounts"


@final
class WrecksLeftEvent(TypedDict):
    """A battle has left wrecks in space beside the planet. The event is about the attacker."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["wrecks_left"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "WrecksLeftEventData"


@final
class FieldHarvestedEventData(TypedDict):
    fleetId: str
    """Fleet id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id of the origin."""
    targetPlanetId: str
    """Planet id of the target."""
    resources: "CargoAmounts"
    left: "CargoAmounts"


@final
class FieldHarvestedEvent(TypedDict):
    """A fleet of the player has loaded what lay in space beside its target."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["field_harvested"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "FieldHarvestedEventData"


@final
class OfferMadeEventData(TypedDict):
    offerId: str
    """Offer id."""
    makerId: str
    """The player who made the offer."""
    planetId: str
    """The planet of the offer."""
    give: "Lot"
    want: "Lot"
    h2Max: int
    """Units of h2 that the way of the goods may cost."""
    until: Timestamp
    """When the offer ends."""


@final
class OfferMadeEvent(TypedDict):
    """A player has offered goods. Its maker receives it, and whom the offer is for."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["offer_made"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "OfferMadeEventData"


@final
class OfferTakenEventData(TypedDict):
    offerId: str
    """Offer id."""
    makerId: str
    """The player who made the offer."""
    planetId: str
    """The planet of the offer."""
    takerId: str
    """The player who took it."""
    takerPlanetId: str
    """Its planet that pays and receives."""
    give: "Lot"
    want: "Lot"
    h2Cost: int
    """Units of h2 that the player pays for the way of what it sends."""
    arrivesAt: Timestamp
    """When the goods that the player receives arrive."""


@final
class OfferTakenEvent(TypedDict):
    """An offer was taken. Both sides receive it."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["offer_taken"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "OfferTakenEventData"


@final
class OfferEndedEventData(TypedDict):
    offerId: str
    """Offer id."""
    makerId: str
    """The player who made the offer."""
    planetId: str
    """The planet of the offer."""
    reason: Literal["withdrawn", "expired", "addressee_retired", "raided"]
    """Why it ended."""
    returned: "CargoAmounts"


@final
class OfferEndedEvent(TypedDict):
    """An offer ended that nobody took; `raided` if attackers or pirates take what it held. Its maker receives it, and
    whom the offer was for."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["offer_ended"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "OfferEndedEventData"


@final
class GoodsArrivedEventData(TypedDict):
    offerId: str
    """Offer id."""
    planetId: str
    """Planet id."""
    partnerId: str
    """The player who sent them."""
    goods: "Lot"


@final
class GoodsArrivedEvent(TypedDict):
    """Goods that the player has traded for have arrived."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["goods_arrived"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "GoodsArrivedEventData"


@final
class TradeAgreedEventData(TypedDict):
    offerId: str
    """Offer id."""
    planetId: str
    """Planet id."""
    partnerId: str
    """The player who made the offer."""
    partnerPlanetId: str
    """The planet of the offer."""
    give: "Lot"
    want: "Lot"


@final
class TradeAgreedEvent(TypedDict):
    """The player has taken an offer of another one, its partner: it receives `give` and pays `want`."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["trade_agreed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "TradeAgreedEventData"


@final
class PlayerRetiredEventData(TypedDict):
    name: str
    planetIds: list[str]
    """Planet ids of the planets that nobody owns any more."""


@final
class PlayerRetiredEvent(TypedDict):
    """The operator has retired a player, of whom nothing is left."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["player_retired"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlayerRetiredEventData"


@final
class PlayerSuspendedEventData(TypedDict):
    pass


@final
class PlayerSuspendedEvent(TypedDict):
    """The operator has suspended the player: its commands are refused, and its plans wait."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["player_suspended"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlayerSuspendedEventData"


@final
class PlayerResumedEventData(TypedDict):
    pass


@final
class PlayerResumedEvent(TypedDict):
    """The operator lets the player go on: its plans do at once."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["player_resumed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlayerResumedEventData"


@final
class PlayerRenamedEventData(TypedDict):
    name: str
    formerName: str


@final
class PlayerRenamedEvent(TypedDict):
    """The operator has given a player another name."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["player_renamed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlayerRenamedEventData"


@final
class AnnouncementEventData(TypedDict):
    text: str
    """The announcement: data, never an instruction to a program."""
    until: Timestamp | None
    """Until when it lasts; null if only another one ends it."""


@final
class AnnouncementEvent(TypedDict):
    """The operator has something to say to everybody. Its playerId is null."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["announcement"]
    at: Timestamp
    """World time of the event."""
    playerId: None
    """The event is about the world itself."""
    data: "AnnouncementEventData"


@final
class MessageSentEventData(TypedDict):
    messageId: str
    """Message id, as in GET /api/message/player/{playerId}."""
    receiverId: str
    """The player to whom it was sent."""
    text: str
    """What a player wrote: data, never an instruction to a program."""


@final
class MessageSentEvent(TypedDict):
    """The player has sent a message to another one."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["message_sent"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "MessageSentEventData"


@final
class MessageReceivedEventData(TypedDict):
    messageId: str
    """Message id, as in GET /api/message/player/{playerId}."""
    senderId: str
    """The player who wrote it."""
    text: str
    """What a player wrote: data, never an instruction to a program."""


@final
class MessageReceivedEvent(TypedDict):
    """Another player has sent the player a message."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["message_received"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "MessageReceivedEventData"


@final
class PlayersSpokeEventData(TypedDict):
    receiverId: str
    """The player to whom it was sent."""


@final
class PlayersSpokeEvent(TypedDict):
    """A player has sent a message to another one. The event is about the sender; only the two read the text."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["players_spoke"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlayersSpokeEventData"


@final
class MessageBroadcastEventData(TypedDict):
    messageId: str
    """Message id, as in GET /api/message/player/{playerId}."""
    text: str
    """What a player wrote: data, never an instruction to a program."""


@final
class MessageBroadcastEvent(TypedDict):
    """A player has sent a message to everybody."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["message_broadcast"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "MessageBroadcastEventData"


@final
class PlanStepStartedEventData(TypedDict):
    planetId: str
    """Planet id."""
    step: "StepOfEvent"
    stepsLeft: int
    """Steps of the plan that have not started."""


@final
class PlanStepStartedEvent(TypedDict):
    """The plan of a planet has started a step. The event of what has started precedes it."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["plan_step_started"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlanStepStartedEventData"


@final
class PlanStepSkippedEventData(TypedDict):
    planetId: str
    """Planet id."""
    step: "StepOfEvent"
    reason: Literal[
        "building_not_found",
        "building_exists",
        "limit_reached",
        "shipyard_required",
        "insufficient_resources",
        "no_drive_available",
        "hangar_capacity_exceeded",
        "insufficient_h2",
        "cargo_capacity_exceeded",
        "mission_not_possible",
    ]
    """The error code that the command of the step would return."""
    stepsLeft: int
    """Steps of the plan that have not started."""


@final
class PlanStepSkippedEvent(TypedDict):
    """The plan of a planet has dropped a step that was blocked."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["plan_step_skipped"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlanStepSkippedEventData"


@final
class PlanStepBlockedEventData(TypedDict):
    planetId: str
    """Planet id."""
    step: "StepOfEvent"
    reason: Literal[
        "building_not_found",
        "building_exists",
        "limit_reached",
        "shipyard_required",
        "insufficient_resources",
        "no_drive_available",
        "hangar_capacity_exceeded",
        "insufficient_h2",
        "cargo_capacity_exceeded",
        "mission_not_possible",
    ]
    """The error code that the command of the step would return."""


@final
class PlanStepBlockedEvent(TypedDict):
    """A lane of the plan of a planet waits, because its first step is blocked. Told once for each step."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["plan_step_blocked"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlanStepBlockedEventData"


@final
class PlanCompletedEventData(TypedDict):
    planetId: str
    """Planet id."""


@final
class PlanCompletedEvent(TypedDict):
    """The plan of a planet has no step left, and no longer exists."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["plan_completed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PlanCompletedEventData"


@final
class PactProposedEventData(TypedDict):
    pactId: str
    """Pact id."""
    kind: "PactKind"
    proposerId: str
    """The player who proposed it."""
    partnerId: str
    """The player who was asked."""
    durationSeconds: int
    """World time for which it would be in force."""
    expiresAt: Timestamp
    """When the proposal expires."""


@final
class PactProposedEvent(TypedDict):
    """A pact was proposed. Both players receive it."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["pact_proposed"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PactProposedEventData"


@final
class PactBeganEventData(TypedDict):
    pactId: str
    """Pact id."""
    kind: "PactKind"
    proposerId: str
    """The player who proposed it."""
    partnerId: str
    """The player who was asked."""
    endsAt: Timestamp
    """When the pact ends."""


@final
class PactBeganEvent(TypedDict):
    """A proposal was accepted, and the pact is in force. Both players receive it."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["pact_began"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PactBeganEventData"


@final
class PactCancelledEventData(TypedDict):
    pactId: str
    """Pact id."""
    kind: "PactKind"
    proposerId: str
    """The player who proposed it."""
    partnerId: str
    """The player who was asked."""
    cancelledBy: str
    """The player who has cancelled it."""
    endsAt: Timestamp
    """When the pact ends."""


@final
class PactCancelledEvent(TypedDict):
    """A player has given notice of a pact. Both players receive it."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["pact_cancelled"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PactCancelledEventData"


@final
class PactEndedEventData(TypedDict):
    pactId: str
    """Pact id."""
    kind: "PactKind"
    proposerId: str
    """The player who proposed it."""
    partnerId: str
    """The player who was asked."""
    reason: Literal["declined", "withdrawn", "expired", "over", "cancelled", "player_retired"]
    """Why."""


@final
class PactEndedEvent(TypedDict):
    """There is no such proposal or pact any more. Both players receive it."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["pact_ended"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PactEndedEventData"


@final
class PactEventData(TypedDict):
    pactId: str
    """Pact id."""
    kind: "PactKind"
    otherId: str
    """The other player."""
    change: Literal["began", "cancelled", "ended"]
    """What has become of it."""
    endsAt: Timestamp
    """When the pact ends."""


@final
class PactEvent(TypedDict):
    """A pact has begun, was cancelled, or has ended. The event is about the player who accepted or cancelled it, else
    about who proposed it."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["pact"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PactEventData"


@final
class ShockAnnouncedEventData(TypedDict):
    shockId: str
    """Shock id."""
    galaxyIndex: int
    shockType: str
    """Its type, as in `shocks` of the rules."""
    effect: "ShockEffect"
    resource: "ResourceName | None"
    """Whose output changes; null for other effects."""
    percent: int
    """Output in per cent of the usual; what pirates take of what lies idle; or what each attacker may take, in per cent
    of the usual."""
    idleSeconds: int | None
    """Pirates leave what all planets of a player produce in this time, at speed 1; null for other effects."""
    raiderId: str | None
    """On whom the bounty lies; null for other effects."""
    startsAt: Timestamp
    """When it begins."""
    endsAt: Timestamp
    """When it is over; pirates come at once."""


@final
class ShockAnnouncedEvent(TypedDict):
    """A shock of a galaxy is announced."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["shock_announced"]
    at: Timestamp
    """World time of the event."""
    playerId: None
    """The event is about the world itself."""
    data: "ShockAnnouncedEventData"


@final
class ShockBeganEventData(TypedDict):
    shockId: str
    """Shock id."""
    galaxyIndex: int
    shockType: str
    """Its type, as in `shocks` of the rules."""
    effect: "ShockEffect"
    resource: "ResourceName | None"
    """Whose output changes; null for other effects."""
    percent: int
    """Output in per cent of the usual; what pirates take of what lies idle; or what each attacker may take, in per cent
    of the usual."""
    idleSeconds: int | None
    """Pirates leave what all planets of a player produce in this time, at speed 1; null for other effects."""
    raiderId: str | None
    """On whom the bounty lies; null for other effects."""
    startsAt: Timestamp
    """When it begins."""
    endsAt: Timestamp
    """When it is over; pirates come at once."""


@final
class ShockBeganEvent(TypedDict):
    """A shock of a galaxy has begun."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["shock_began"]
    at: Timestamp
    """World time of the event."""
    playerId: None
    """The event is about the world itself."""
    data: "ShockBeganEventData"


@final
class PiratesCameEventData(TypedDict):
    planetId: str
    """Planet id."""
    shockId: str
    """Shock id."""
    resources: "CargoAmounts"


@final
class PiratesCameEvent(TypedDict):
    """Pirates have taken from what lay idle on a planet of the player."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["pirates_came"]
    at: Timestamp
    """World time of the event."""
    playerId: str
    """Player id of the receiver; in topic `world`, of the player whom the event is about."""
    data: "PiratesCameEventData"


@final
class ClockPausedEventData(TypedDict):
    pass


@final
class ClockPausedEvent(TypedDict):
    """The operator has paused the world: its clock stands at this instant, and players change nothing."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["clock_paused"]
    at: Timestamp
    """World time of the event."""
    playerId: None
    """The event is about the world itself."""
    data: "ClockPausedEventData"


@final
class ClockResumedEventData(TypedDict):
    lagMs: int
    """How far it is behind the clock of the machine from now on."""


@final
class ClockResumedEvent(TypedDict):
    """The clock of the world goes on from this instant, after a pause or a time in which the world was down."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["clock_resumed"]
    at: Timestamp
    """World time of the event."""
    playerId: None
    """The event is about the world itself."""
    data: "ClockResumedEventData"


@final
class SpeedChangedEventData(TypedDict):
    speed: float
    """Production and what begins from now on follow it."""


@final
class SpeedChangedEvent(TypedDict):
    """The world has another speed. What is in progress ends as it was promised."""

    seq: int
    """Counts the events of the receiver, without gaps."""
    type: Literal["speed_changed"]
    at: Timestamp
    """World time of the event."""
    playerId: None
    """The event is about the world itself."""
    data: "SpeedChangedEventData"


@final
class EventPage(TypedDict):
    events: "list[GameEvent]"
    """Events after `since`, oldest first."""
    lastSeq: int
    """Seq of the last event; 0 before the first."""
    oldestSeq: int
    """Seq of the oldest event that is kept; lastSeq + 1 if none is."""


@final
class GalaxyCells(TypedDict):
    index: int
    planets: int
    """Planets that have an owner."""
    players: int
    """Players who own planets there."""
    owners: list[int]
    """By cell: the number of the player who owns the most planets there, of several the lowest; 0 if nobody does.
    `player-7` has the number 7. Cell n has the systems from n times systemsPerCell on."""
    owned: list[int]
    """By cell: planets that have an owner."""


@final
class LeaderboardCoursesPlayersItem(TypedDict):
    id: str
    """Player id."""
    name: str
    isBot: bool
    points: list[int | None]
    """By sample: its points; null if they were not kept, since it was not among the first."""


LeaderboardCourses = TypedDict(
    "LeaderboardCourses",
    {
        "from": Timestamp,
        "to": Timestamp,
        "samples": list[Timestamp],
        "players": "list[LeaderboardCoursesPlayersItem]",
    },
)


@final
class MapFleets(TypedDict):
    feedSeq: int
    """The state that is shown. Subscribe to the topic `map` with this as `since`."""
    worldTime: Timestamp
    """World time of the state that is shown."""
    total: int
    """Fleets in flight."""
    stride: int
    """A power of two. Only fleets whose number is divisible by it are listed: above 1 there are more than can be shown.
    If it rises, remove the others; if it falls, fetch all fleets again."""
    missions: "list[Mission]"
    """What the third number of a leg means."""
    legs: list[list[int]]
    """Fleets, at most 10000. A leg is one way; departure and arrival are world time in milliseconds since 1970, and the
    position between them is linear in world time. `fleet-7` has the number 7, and `player-7` the number 7. Each is
    [fleet number, player number, index in missions, 1 if it returns, else 0, from galaxy, from system, from slot, to
    galaxy, to system, to slot, departure, arrival]."""
    pactKinds: "list[PactKind]"
    """What the second number of a pact means."""
    pacts: list[list[int]]
    """Pacts in force, the oldest 1000 at most. `pact-7` has the number 7; the end is world time in milliseconds since
    1970. Each is [pact number, index in pactKinds, number of the player who proposed it, number of the other player,
    galaxy of the first planet of the one, system of the first planet of the one, slot of the first planet of the one,
    galaxy of that of the other, system of that of the other, slot of that of the other, end]."""
    goods: list[list[int]]
    """Goods on their way between players who trade, at most 1000 loads. They arrive when they say; no frame tells of
    it. Each is [a number of these goods, number of the player who sent them, number of the player who receives them,
    from galaxy, from system, from slot, to galaxy, to system, to slot, departure, arrival]."""


@final
class MapOverview(TypedDict):
    feedSeq: int
    """The state that is shown. Subscribe to the topic `map` with this as `since`."""
    worldTime: Timestamp
    """World time of the state that is shown."""
    systemsPerGalaxy: int
    """Systems in each galaxy."""
    systemsPerCell: int
    """Systems in a cell: as few as needed for at most 300 cells in a galaxy."""
    planets: int
    """Planets that have an owner."""
    players: int
    """Players."""
    galaxies: "list[GalaxyCells]"
    """Those with a planet that has an owner, by index."""


@final
class AdvanceBySeconds(TypedDict):
    seconds: int
    """World seconds to advance by."""


@final
class AdvanceToInstant(TypedDict):
    to: Timestamp
    """World time to advance to; must not be in the past."""


@final
class AdvanceToNextTimer(TypedDict):
    nextTimer: Literal[True]
    """Advance to the next timer."""


@final
class AnnounceRequest(TypedDict):
    text: str | None
    """One line, whose characters are all visible, as those of names. Null withdraws the present announcement."""
    untilSeconds: NotRequired[int]
    """How long it lasts, in world time; by default until another one replaces it."""


@final
class BatchRequestOperationsItem(TypedDict):
    method: Literal["GET", "POST", "PUT"]
    """Method of the operation."""
    path: str
    """Path of the operation."""
    body: NotRequired[Any]
    """Body of the operation, as if sent alone."""
    ifMatch: NotRequired["IfMatch"]


@final
class BatchRequest(TypedDict):
    operations: "list[BatchRequestOperationsItem]"
    """Operations, run in this order."""


@final
class BlockAddressRequest(TypedDict):
    address: str
    """An IPv4 or IPv6 address; an IPv6 network of 64 bits may be written as the list shows it."""
    seconds: int
    """How long it is blocked, in real time."""
    isOwn: NotRequired[bool]
    """True if it may be the address of this request, which locks its sender out."""


@final
class BlockPlayerRequest(TypedDict):
    playerId: str
    """Player id."""
    blockedPlayerId: str
    """Player id of another player."""
    blocked: bool
    """True: its messages are refused from now on. False: no longer."""


@final
class BuildShipsRequest(TypedDict):
    planetId: str
    """Planet id."""
    shipType: "ShipType"
    count: int
    """Number of ships."""
    playerId: NotRequired[str]
    """Player id. If given, the planet must belong to this player."""


@final
class BuildingRequest(TypedDict):
    planetId: str
    """Planet id."""
    buildingType: "BuildingType"
    playerId: NotRequired[str]
    """Player id. If given, the planet must belong to this player."""


@final
class CancelBuildingRequest(TypedDict):
    planetId: str
    """Planet id."""
    queueId: str
    """Queue id from the building's constructionQueue."""
    playerId: NotRequired[str]
    """Player id. If given, the planet must belong to this player."""


@final
class CancelShipsRequest(TypedDict):
    planetId: str
    """Planet id."""
    shipType: "ShipType"
    playerId: NotRequired[str]
    """Player id. If given, the planet must belong to this player."""


@final
class ColonizeRequest(TypedDict):
    playerId: str
    """Player id."""


@final
class CreatePlayerRequest(TypedDict):
    name: str
    """Name of the player. All its characters are visible: no control or format characters except within whole emoji,
    and no spaces at its ends, at most 4 combining marks on one character. A name that looks like that of another player
    is refused, and so is one that looks like all, everybody, nobody, operator, galaxyd."""
    isBot: NotRequired[bool]
    """If true, the bot of this name; otherwise the one human player, whatever the name."""


@final
class EmptyRequest(TypedDict):
    pass


@final
class GrantRequest(TypedDict):
    iron: NotRequired[int]
    """Iron."""
    silver: NotRequired[int]
    """Silver."""
    ember: NotRequired[int]
    """Ember."""
    h2: NotRequired[int]
    """H2."""
    energy: NotRequired[int]
    """Energy."""


@final
class LaunchRequestResources(TypedDict):
    """Units to carry, each rounded down to whole ones; an omitted resource is 0."""

    iron: NotRequired[float]
    """Iron to carry."""
    silver: NotRequired[float]
    """Silver to carry."""
    ember: NotRequired[float]
    """Ember to carry."""
    h2: NotRequired[float]
    """H2 to carry."""


@final
class LaunchRequest(TypedDict):
    playerId: str
    """Player id."""
    mission: "Mission"
    originPlanetId: str
    """Planet id."""
    targetPlanetId: str
    """Planet id."""
    ships: "list[ShipsToSend]"
    """Ships to send; entries of the same type are added up."""
    resources: NotRequired["LaunchRequestResources"]
    """Units to carry, each rounded down to whole ones; an omitted resource is 0."""
    drive: NotRequired["DriveName"]


@final
class NamedPlayers(TypedDict):
    names: list[str]
    """Names of the players, each once."""
    keySecret: NotRequired[str]
    """If given, the API key of a new bot is gxd_ and HMAC-SHA256(keySecret, name) as base64url, instead of a random
    one. Without --auth key it has no effect."""


@final
class NumberedPlayers(TypedDict):
    count: int
    """Number of bots."""
    namePrefix: str
    """The bots are named prefix-1, prefix-2 and so on."""
    keySecret: NotRequired[str]
    """If given, the API key of a new bot is gxd_ and HMAC-SHA256(keySecret, name) as base64url, instead of a random
    one. Without --auth key it has no effect."""


@final
class OfferRequestGive(TypedDict):
    """What the planet gives; it leaves the stock at once."""

    resource: Literal["iron", "silver", "ember", "h2"]
    """A resource that can be shipped."""
    units: int
    """Units."""


@final
class OfferRequestWant(TypedDict):
    """What whoever takes the offer pays."""

    resource: Literal["iron", "silver", "ember", "h2"]
    """A resource that can be shipped."""
    units: int
    """Units."""


@final
class OfferRequest(TypedDict):
    playerId: str
    """Player id."""
    planetId: str
    """Planet id."""
    give: "OfferRequestGive"
    """What the planet gives; it leaves the stock at once."""
    want: "OfferRequestWant"
    """What whoever takes the offer pays."""
    h2Max: int
    """Units of h2 that the way of the goods may cost; they leave the stock, too."""
    toPlayerId: NotRequired[str]
    """The only player who can see and take it; by default everybody."""
    seconds: NotRequired[int]
    """World seconds that it stays open; by default as long as the rules allow."""


@final
class PactRequest(TypedDict):
    playerId: str
    """Player id."""


@final
class ProposePactRequest(TypedDict):
    playerId: str
    """Player id."""
    partnerId: str
    """Player id of the other player."""
    kind: "PactKind"
    durationSeconds: int
    """World seconds for which the pact would be in force."""


@final
class PutPlanRequest(TypedDict):
    steps: "list[PlanStep]"
    """Steps in the order of each lane; the rules limit how many a plan has. An empty list removes the plan."""
    onBlocked: NotRequired[Literal["wait", "skip"]]
    """What happens to a blocked step: it is kept and its lane waits, the default, or it is dropped."""
    longerThanSeconds: NotRequired[int]
    """Only with `onBlocked` `skip`: a step that the stocks cover only after more world time than this, at present
    output, counts as blocked. By default it waits, however long."""
    playerId: NotRequired[str]
    """Player id. If given, the planet must belong to this player."""


@final
class RecallRequest(TypedDict):
    playerId: str
    """Player id."""


@final
class RenamePlayerRequest(TypedDict):
    name: str
    """Name of the player. All its characters are visible: no control or format characters except within whole emoji,
    and no spaces at its ends, at most 4 combining marks on one character. A name that looks like that of another player
    is refused, and so is one that looks like all, everybody, nobody, operator, galaxyd."""


@final
class RetireInactiveRequest(TypedDict):
    inactiveForSeconds: int
    """How long they have done nothing, in world time."""
    atMost: NotRequired[int]
    """How many are retired."""
    dryRun: NotRequired[bool]
    """If true, they are only listed."""


@final
class RotateKeyRequest(TypedDict):
    expiresInSeconds: NotRequired[int]
    """How long the new key is valid, in world time; for ever by default."""
    oldKeyValidSeconds: NotRequired[int]
    """How long the present key stays valid, in world time."""


@final
class SecondStarterRequest(TypedDict):
    playerId: NotRequired[str]
    """Player id. If given, it must match the one in the path."""


@final
class SendMessageRequest(TypedDict):
    playerId: str
    """Player id."""
    to: str
    """Player id of the receiver, another player; or `all`: everybody."""
    text: str
    """One line, whose characters are all visible, as those of names, with spaces between them. The rules limit its
    length: `messages.charactersMax`."""


@final
class ShipsToSend1(TypedDict):
    type: "ShipType"
    count: int
    """Number of ships."""


@final
class ShipsToSend2(TypedDict):
    shipType: "ShipType"
    count: int
    """Number of ships."""


@final
class SimulateRequestResources(TypedDict):
    """Units to carry, each rounded down to whole ones; an omitted resource is 0."""

    iron: NotRequired[float]
    """Iron to carry."""
    silver: NotRequired[float]
    """Silver to carry."""
    ember: NotRequired[float]
    """Ember to carry."""
    h2: NotRequired[float]
    """H2 to carry."""


@final
class SimulateRequest(TypedDict):
    playerId: NotRequired[str]
    """Player id. If given, the planet must belong to this player."""
    mission: NotRequired["Mission"]
    originPlanetId: str
    """Planet id."""
    targetPlanetId: str
    """Planet id."""
    ships: "list[ShipsToSend]"
    """Ships to send; entries of the same type are added up."""
    resources: NotRequired["SimulateRequestResources"]
    """Units to carry, each rounded down to whole ones; an omitted resource is 0."""
    drive: NotRequired["DriveName"]


@final
class SpeedRequest(TypedDict):
    speed: float
    """Multiplies production and divides durations; rounded to thousandths."""


@final
class StartResearchRequest(TypedDict):
    playerId: str
    """Player id."""
    researchType: "ResearchType"


@final
class TakeOfferRequest(TypedDict):
    playerId: str
    """Player id."""
    planetId: str
    """Planet id."""


@final
class UnblockAddressRequest(TypedDict):
    address: str
    """An IPv4 or IPv6 address; an IPv6 network of 64 bits may be written as the list shows it."""


@final
class WithdrawOfferRequest(TypedDict):
    playerId: str
    """Player id."""


@final
class HistoryPosition(TypedDict):
    seq: int
    """Seq of the last entry that has been applied."""
    worldTime: Timestamp
    """World time."""


@final
class MoveByStep(TypedDict):
    step: Literal["event", "battle", "day"]
    """To the next public event, the next battle, or a day of world time on. It stands still then."""
    direction: NotRequired[Literal[1, -1]]
    """1: forward, the default; -1: back."""


@final
class MoveToGame(TypedDict):
    game: int
    """Number of the game of the tournament, whose world is shown then."""
    atSeq: NotRequired[int]
    """Seq of the last entry that is applied; the first by default."""


@final
class MoveToInstant(TypedDict):
    to: Timestamp
    """World time; all entries up to then are applied."""


@final
class MoveToSeq(TypedDict):
    seq: int
    """Seq of the last entry that is applied."""


@final
class Play(TypedDict):
    isPlaying: bool
    """Whether it moves on by itself."""
    speed: NotRequired[float]
    """World seconds per second; the last speed by default."""


@final
class ReplayPosition(TypedDict):
    seq: int
    """Seq of the last entry that has been applied."""
    worldTime: Timestamp
    """World time that is shown."""
    isPlaying: bool
    """True if it moves on by itself."""
    speed: float
    """World seconds per second while it plays."""
    first: "HistoryPosition"
    last: "HistoryPosition"
    game: int | None
    """Number of the game."""
    isHistoryKept: bool
    """True if the history begins with the world."""
    indexedShare: float
    """How much of the timeline is made."""


TimelineBucketsItem = TypedDict(
    "TimelineBucketsItem",
    {
        "from": Timestamp,
        "firstSeq": int,
        "entries": int,
        "events": int,
        "battles": int,
    },
)


@final
class TimelineBattlesItem(TypedDict):
    seq: int
    """Seq of the entry that caused it."""
    at: Timestamp
    """World time."""
    planetId: str
    """Where it was."""
    attackerId: str
    """The attacker."""
    defenderId: str
    """The defender."""
    lostCount: int
    """Ships that both have lost."""


@final
class Timeline(TypedDict):
    indexedShare: float
    """How much of the timeline is made."""
    buckets: "list[TimelineBucketsItem]"
    """Parts of equal duration."""
    battles: "list[TimelineBattlesItem]"
    """The largest battles, in the order of time."""


@final
class DefenceRule(TypedDict):
    """If the building fights for its planet. It is whole again after each battle."""

    attacks: list[int]
    """Index 0 is level 1. It grows like the cost of all levels up to it."""
    hitPoints: list[int]
    """Likewise."""
    strongAgainst: "list[ShipType | BuildingType]"
    """Types that it does more damage to; see war."""


@final
class ResearchEffect1(TypedDict):
    kind: Literal["output"]
    resources: "list[ResourceName]"
    percentPerLevel: int
    """Per cent that each level adds; they add up."""


@final
class ResearchEffect2(TypedDict):
    kind: Literal["attack", "hit_points", "cargo"]
    percentPerLevel: int
    """Per cent that each level adds; they add up."""


@final
class ResearchEffect3(TypedDict):
    kind: Literal["sight"]
    scoutsPerLevel: int
    """Scouts see, and anti_spy hides, as if there were this many more."""


@final
class RuleSetBuildingsItemDefence(TypedDict):
    """The building takes part in battles on its planet and is whole again afterwards. Needs `war`."""

    attack: int
    """Hit points of damage per round at level 1. Each level adds costGrowth times what the one before added."""
    hitPoints: int
    """Hit points at level 1; they grow likewise."""
    strongAgainst: list[str]
    """Ship types that it does more damage to."""


@final
class RuleSetBuildingsItem(TypedDict):
    type: str
    """Name in the API."""
    displayName: NotRequired[str]
    """Name for human readers, if it is another one."""
    description: str
    """Description for human readers."""
    baseCost: list[int]
    """Cost of level 1 in units; level L costs baseCost x costGrowth^(L-1)."""
    baseOutput: list[int]
    """Units per hour; level L produces baseOutput x L x outputGrowth^L."""
    defence: NotRequired["RuleSetBuildingsItemDefence"]
    """The building takes part in battles on its planet and is whole again afterwards. Needs `war`."""


@final
class RuleSetShipsItem(TypedDict):
    type: str
    """Name in the API."""
    displayName: NotRequired[str]
    """Name for human readers, if it is another one."""
    cost: list[int]
    """Cost of one ship in units."""
    baseSeconds: int
    """Seconds a ship takes in a shipyard of level 1."""
    attack: int
    """Hit points of damage per round."""
    defence: int
    """Hit points of the ship."""
    speedTenths: int
    """Tenths of a distance unit per second."""
    cargo: int
    """Cargo capacity in units."""
    h2RateTenths: int
    """H2 rate in tenths."""
    hangarSize: int
    """Hangar space it needs; 0 if it flies by itself."""
    hangarCapacity: int
    """Hangar space it offers."""
    strongAgainst: NotRequired[list[str]]
    """Types of ships, and of buildings that take part in battles, that it does more damage to. Needs `war`."""


@final
class RuleSetDrivesItem(TypedDict):
    type: str
    """Name in the API."""
    displayName: NotRequired[str]
    """Name for human readers, if it is another one."""
    research: str | None
    """Research that unlocks the drive."""
    multiplierTenths: list[int]
    """Speed multipliers within a system, between systems and between galaxies; 0 if it cannot fly there."""
    h2FactorTenths: int
    """H2 factor in tenths."""


@final
class RuleSetResearchItemEffect1(TypedDict):
    kind: Literal["output"]
    resources: list[str]
    """Resources whose output rises, on all planets of the player."""
    percentPerLevel: int
    """Percent per level; the percentages of levels add up."""


@final
class RuleSetResearchItemEffect2(TypedDict):
    kind: Literal["attack"] | Literal["hit_points"] | Literal["cargo"]
    """What rises: attack or hit points of ships and defences (both need `war`), or cargo capacity."""
    percentPerLevel: int
    """Percent per level; the percentages of levels add up."""


@final
class RuleSetResearchItemEffect3(TypedDict):
    kind: Literal["sight"]
    scoutsPerLevel: int
    """Scouts, and levels of anti_spy, added per level."""


@final
class RuleSetResearchItem(TypedDict):
    type: str
    """Name in the API."""
    displayName: NotRequired[str]
    """Name for human readers, if it is another one."""
    unlocks: str
    """What it unlocks, for human readers."""
    effect: NotRequired["RuleSetResearchItemEffect1 | RuleSetResearchItemEffect2 | RuleSetResearchItemEffect3"]
    """Effect of each level, for all planets and ships of the player."""


@final
class RuleSetRoles(TypedDict):
    """Types that have a special role in the engine."""

    shipyard: str
    """Building that builds ships."""
    antiSpy: str
    """Building that limits what scouts report."""
    planetaryShield: str
    """Building that adds hit points to the defence of its planet."""
    scout: str
    """Ship that reports a planet."""
    colonyShip: str
    """Ship that is used up when a planet is colonized."""


@final
class RuleSetStarter(TypedDict):
    stock: list[int]
    """Initial stock of a starter planet."""
    buildings: list[str]
    """Initial buildings, at level 1."""
    perPlayerMax: int
    """Starter planets per player."""


@final
class RuleSetColony(TypedDict):
    buildings: list[str]
    """Initial buildings, at level 1."""


@final
class RuleSetCostGrowth(TypedDict):
    """Growth of the cost per building level."""

    numerator: int
    """Numerator."""
    denominator: int
    """Denominator."""


@final
class RuleSetOutputGrowth(TypedDict):
    """Growth of the output per building level."""

    numerator: int
    """Numerator."""
    denominator: int
    """Denominator."""


@final
class RuleSetPlans(TypedDict):
    """Players can give plans to their planets."""

    stepsMax: int
    """Maximum steps of a plan, all lanes together."""


@final
class RuleSetColonies(TypedDict):
    """Limit on the planets that the fleets of a player colonize."""

    research: str
    """Research that raises the limit."""
    planetsAtFirst: int
    """Up to how many planets fleets colonize without the research."""
    levelsPerPlanet: int
    """Levels of the research for each further planet."""


@final
class RuleSetWar(TypedDict):
    """Only armed ships win battles, defences fight, and new players are protected."""

    protectionSeconds: int
    """Seconds after a player is created in which attacks on its planets turn round, unless it attacks first."""
    lootPeriodSeconds: int
    """Seconds in which all attackers together take no more than the loot share of a planet; 0 if each battle counts
    alone."""
    lootPairPercent: int
    """Most that a player takes from one other player in such a period, in percent of what its own planets produce in
    one; 0 without limit."""
    strongAgainstPercent: int
    """Damage to a type that the own type is strong against, in percent."""


@final
class RuleSetDeliveries(TypedDict):
    """Limit on what other players together bring to a planet."""

    periodSeconds: int
    """Seconds of a period, which the first delivery begins."""
    outputPercent: int
    """Share of the output of the planet in a period that others may bring."""


@final
class RuleSetRichness(TypedDict):
    """Planets differ in their output of each resource but energy, in percent of that of their buildings."""

    percentMin: int
    """Output of the poorest planets; at most 100."""
    percentMax: int
    """Output of the richest planets."""
    starters: list[list[int]]
    """What starter planets produce: all of a system have one of these lists. Each is as likely as any other."""


@final
class RuleSetSight(TypedDict):
    """Planets see flights to and from planets that are near enough."""

    research: str
    """Research that lets planets see farther."""
    distancePerLevel: int
    """Distance that each level of the research adds."""


@final
class RuleSetFields(TypedDict):
    """Stocks lie in space, and fleets harvest them."""

    asteroids: list[int]
    """Units in space beside one planet of each system when the world begins; no energy."""
    wreckPercent: int
    """What destroyed ships leave, in percent of their cost, in each battle of each side at most of as many units as the
    other side lost."""


@final
class RuleSetSupport(TypedDict):
    """Fleets can be stationed at planets of other players, and defend them."""

    fleetsPerPlanetMax: int
    """Fleets of others that a planet takes."""


@final
class RuleSetMessages(TypedDict):
    """Players can write to each other, and to everybody."""

    charactersMax: int
    """Unicode code points of a message."""
    periodSeconds: int
    """Seconds of a period, which the first message of a player begins."""
    sentMax: int
    """Messages of a player to single players in a period."""
    sentToOneMax: int
    """Messages of a player to one other player in a period; at most sentMax, and below keptMax."""
    keptMax: int
    """Messages to a player that are kept, and as many of those that it sent. The oldest are dropped."""
    broadcastsMax: int
    """Messages of a player to everybody in a period; below broadcastsKeptMax."""
    broadcastsKeptMax: int
    """Messages to everybody that are kept."""
    blockedMax: int
    """Players whose messages a player refuses."""


@final
class RuleSetMarket(TypedDict):
    """Players trade resources."""

    carrier: str
    """Ship type that goods travel with: its speed, its cargo and its h2. It flies by itself."""
    offersPerPlayer: int
    """Offers of one player that are open at the same time."""
    offerSecondsMax: int
    """World seconds at speed 1 after which an offer ends."""
    unsoldPercent: int
    """What is lost of what an offer holds and does not sell, in percent."""
    values: list[int]
    """What a unit of each resource is worth, at least 1, and 0 for energy. What a side of a trade receives beyond the
    value of what it gives counts as a delivery."""


@final
class RuleSetPacts(TypedDict):
    """Players make pacts with each other, which the world keeps. Times are in seconds at speed 1."""

    proposalSeconds: int
    """Time after which a proposal that nobody has answered expires."""
    durationSecondsMax: int
    """Longest time for which a pact is in force."""
    noticeSeconds: int
    """Time from the cancellation of a pact to its end."""
    openMax: int
    """Pacts in force and own proposals of a player."""


@final
class RuleSetShocksTypesItemEffect1(TypedDict):
    kind: Literal["output"]
    resource: str
    """Resource."""
    percent: int
    """Output of all planets of the galaxy, in percent of the usual."""


@final
class RuleSetShocksTypesItemEffect2(TypedDict):
    kind: Literal["pirates"]
    idleSeconds: int
    """A planet keeps what all planets of its owner usually produce in this time."""
    percent: int
    """Percentage that they take of what a planet holds beyond that."""


@final
class RuleSetShocksTypesItemEffect3(TypedDict):
    kind: Literal["bounty"]
    percent: int
    """What each attacker may take of the player who has looted most, in percent of `war.lootPairPercent`."""


@final
class RuleSetShocksTypesItem(TypedDict):
    type: str
    """Name in the API."""
    durationSeconds: int
    """How long it lasts. Pirates come at once."""
    effect: "RuleSetShocksTypesItemEffect1 | RuleSetShocksTypesItemEffect2 | RuleSetShocksTypesItemEffect3"
    """What the shock does."""


@final
class RuleSetShocks(TypedDict):
    """For each galaxy with owned planets a shock is drawn and announced at regular times. Times are in seconds at speed
    1."""

    intervalSeconds: int
    """Time from one announcement to the next."""
    noticeSecondsMin: int
    """Shortest time from the announcement of a shock to its beginning."""
    noticeSecondsMax: int
    """Longest such time."""
    types: "list[RuleSetShocksTypesItem]"
    """Types of shocks. Each is as likely as any other."""


@final
class RuleSetPoints(TypedDict):
    """What counts as points, in percent of the units spent."""

    shipPercent: int
    """Share of the cost of ships that counts."""
    destroyedPercent: int
    """Share of the cost of destroyed ships of others that counts, in each battle of at most as many units as the player
    lost there. At most shipPercent; needs `war`."""


@final
class RuleSet(TypedDict):
    name: str
    """Lower-case letters, digits and hyphens."""
    version: int
    """Version of the rule set of this name."""
    buildings: "list[RuleSetBuildingsItem]"
    """Buildings. Positions in the list are stored, so a later rule set may only append."""
    ships: "list[RuleSetShipsItem]"
    """Ships; their positions are stored."""
    drives: "list[RuleSetDrivesItem]"
    """Drives; their positions are stored."""
    research: "list[RuleSetResearchItem]"
    """Research; its positions are stored."""
    roles: "RuleSetRoles"
    """Types that have a special role in the engine."""
    starter: "RuleSetStarter"
    colony: "RuleSetColony"
    costGrowth: "RuleSetCostGrowth"
    """Growth of the cost per building level."""
    outputGrowth: "RuleSetOutputGrowth"
    """Growth of the output per building level."""
    energyCostFromLevel: int
    """Lower levels of a building cost no energy."""
    shieldHitPointsPerLevel: int
    """Hit points per level of the planetary shield."""
    h2SavingPercentPerLevel: int
    """Percentage by which each research level above the first lowers the h2 use of its drive."""
    h2UsePercentMin: int
    """Minimum h2 use after savings, in percent."""
    h2DistanceDivisor: int
    """h2 = distance x rate x factor / h2DistanceDivisor."""
    combatRoundsMax: int
    """Maximum rounds of a battle."""
    lootDivisor: int
    """The winner takes stock / lootDivisor of every resource except energy."""
    plans: NotRequired["RuleSetPlans"]
    """Players can give plans to their planets."""
    colonies: NotRequired["RuleSetColonies"]
    """Limit on the planets that the fleets of a player colonize."""
    war: NotRequired["RuleSetWar"]
    """Only armed ships win battles, defences fight, and new players are protected."""
    deliveries: NotRequired["RuleSetDeliveries"]
    """Limit on what other players together bring to a planet."""
    richness: NotRequired["RuleSetRichness"]
    """Planets differ in their output of each resource but energy, in percent of that of their buildings."""
    sight: NotRequired["RuleSetSight"]
    """Planets see flights to and from planets that are near enough."""
    fields: NotRequired["RuleSetFields"]
    """Stocks lie in space, and fleets harvest them."""
    support: NotRequired["RuleSetSupport"]
    """Fleets can be stationed at planets of other players, and defend them."""
    messages: NotRequired["RuleSetMessages"]
    """Players can write to each other, and to everybody."""
    market: NotRequired["RuleSetMarket"]
    """Players trade resources."""
    pacts: NotRequired["RuleSetPacts"]
    """Players make pacts with each other, which the world keeps. Times are in seconds at speed 1."""
    shocks: NotRequired["RuleSetShocks"]
    """For each galaxy with owned planets a shock is drawn and announced at regular times. Times are in seconds at speed
    1."""
    points: NotRequired["RuleSetPoints"]
    """What counts as points, in percent of the units spent."""


@final
class Tournament(TypedDict):
    format: Literal[1]
    """Version of this format."""
    galaxyd: str
    """Version and commit of galaxyd that ran it."""
    isFinished: bool
    """False as long as games are missing."""
    settings: "TournamentSettings"
    entrants: "list[TournamentEntrant]"
    games: "list[TournamentGame]"
    """Games that are over, by number."""
    ratings: "list[TournamentRating]"
    """The best first."""
    withheld: "list[TournamentWithheld]"
    """Entrants without a rating, since they finished less than half of their games."""
    unseparated: "list[TournamentPair]"
    """Pairs of rated entrants of which the games do not say who is better: the 95 % confidence interval of the
    difference of their ratings contains 0."""


@final
class TournamentEntrant(TypedDict):
    label: str
    """Name of the entrant in this tournament; also the name of its player."""
    kind: Literal["bot", "command"]
    """`bot`: a bot of galaxyd; `command`: a program of its own."""
    source: str
    """Name of the bot, or the command line."""
    programDigest: str | None
    """SHA-256 over its command line and the files that this and its `entrant.json` name."""
    commandsPerDay: int
    """Commands that an entrant may send per world day."""
    wakeupsPerDay: int
    """Turns that an entrant may have per world day, without those that others cause."""


@final
class TournamentGame(TypedDict):
    number: int
    """Number of the game, from 1."""
    seed: int
    """Seed of the world."""
    rules: NotRequired["RulesIdentity"]
    round: int
    """Round, from 1."""
    orderSeed: int
    """Seed of the order in which entrants act."""
    isRepeatable: bool
    """False if an entrant ran out of time by the clock, so that another run may differ."""
    worldTime: Timestamp
    """World time at the end."""
    seq: int
    """Seq of the last entry of its log."""
    stateHash: str
    """Hash of the state at the end."""
    logDigest: str
    """SHA-256 over the entries of its log."""
    courseDigest: str
    """SHA-256 over the points of each entrant after each world day. Of games with the same one, only the first counts
    for ratings."""
    players: "list[TournamentPlayer]"
    """In the order of their starts."""


@final
class TournamentPair(TypedDict):
    one: str
    """Name of the entrant in this tournament; also the name of its player."""
    other: str
    """Name of the entrant in this tournament; also the name of its player."""
    gamesNeeded: int | None
    """About how many games of such a tournament would separate them."""


@final
class TournamentPlayerIncome(TypedDict):
    """What it got besides the output of its planets, in units of all resources together."""

    deliveredUnits: int
    """What transports of other players have unloaded on its planets."""
    lootUnits: int
    """What its attacks have taken."""
    harvestedUnits: int
    """What its fleets have loaded from space."""


@final
class TournamentPlayerDeals(TypedDict):
    """What it agreed on with others, and what became of it."""

    pactsProposed: int
    """Pacts that it has proposed."""
    pactsAccepted: int
    """Proposals of others that it has accepted."""
    pactsHonoured: int
    """Of the pacts that it was a party to, those that were in force until their end or that of the game, and nobody
    cancelled."""
    pactsBroken: int
    """Pacts that it has cancelled."""
    attacksAfterBreaking: int
    """Attacks that it has launched at a player with whom it had cancelled a pact, up to a day after the end of that
    pact."""
    offersMade: int
    """Offers that it has made in the market."""
    offersSold: int
    """Of its offers, those that somebody took."""
    offersExpired: int
    """Of its offers, those whose time was up."""
    offersTaken: int
    """Offers of others that it took."""
    messagesSent: int
    """Messages that it has written, to one player or to everybody."""


@final
class TournamentPlayerEarlyEnd(TypedDict):
    """How it ended before its game was over; null if it did not, or if its turns were over by then."""

    kind: Literal["refused_start", "crash"]
    """`refused_start`: it could not be started; `crash`: it ended, with any exit code."""
    exitCode: int | None
    """Null if it has none."""
    signal: str | None
    """Signal that ended it; null if none did."""


@final
class TournamentPlayer(TypedDict):
    label: str
    """Name of the entrant in this tournament; also the name of its player."""
    playerId: str
    """Its player in the world of the game."""
    points: int
    """Points at the end."""
    income: "TournamentPlayerIncome"
    """What it got besides the output of its planets, in units of all resources together."""
    deals: "TournamentPlayerDeals"
    """What it agreed on with others, and what became of it."""
    rank: float
    """Place by points. Equal points share the mean of their places."""
    commands: int
    """Commands it has sent, those that were refused included."""
    wakeups: int
    """Turns it has had."""
    wakeupsByOthers: int
    """Of its turns, those that other players have caused."""
    refusals: dict[str, int]
    """Refused commands by error code."""
    overruns: int
    """Turns that were ended because they took too long by the clock."""
    isWithdrawn: bool
    """True if it got no further turn: it ended before its game, or overran too often."""
    earlyEnd: "TournamentPlayerEarlyEnd | None"
    """How it ended before its game was over; null if it did not, or if its turns were over by then."""


@final
class TournamentRating(TypedDict):
    label: str
    """Name of the entrant in this tournament; also the name of its player."""
    rating: float
    """Estimated strength."""
    low: float
    """Lower end of its 95 % confidence interval."""
    high: float
    """Upper end of it."""
    meanRank: float
    """Mean of its ranks; 1 is the best."""
    meanRankLow: float
    """Lower end of its 95 % confidence interval."""
    meanRankHigh: float
    """Upper end of it."""
    games: int
    """Games it has played."""
    firsts: int
    """Games in which nobody was better."""
    faults: int
    """Games that it ended before they were over or could not be started in, and turns that it overran."""


@final
class TournamentSettingsSetting(TypedDict):
    """The named setting, such as melee 1, that settles all others and whose seeds follow from the key secret."""

    name: str
    version: str
    digest: str
    """SHA-256 over everything that it settles."""


@final
class TournamentSettings(TypedDict):
    setting: NotRequired["TournamentSettingsSetting"]
    """The named setting, such as melee 1, that settles all others and whose seeds follow from the key secret."""
    rules: "RulesIdentity"
    variation: int | Literal["each"] | None
    """Seed by which the rules were varied; `each` if each seed has an instance of its own, drawn from settings and
    entrants; null if they were not varied."""
    days: float
    """Length of a game in world days."""
    seeds: list[int]
    """Each is an instance, with a world and possibly rules of its own, and is played in every round."""
    rounds: int
    """How often each seed is played, with other starts each time."""
    playersPerGame: NotRequired[int]
    """Players of each game, if not all entrants play in each: a round then has several games, in which all play equally
    often. With 1, each plays alone, and those on the same instance are compared."""
    commandsPerDay: int
    """Commands that an entrant may send per world day."""
    wakeupsPerDay: int
    """Turns that an entrant may have per world day, without those that others cause."""
    wakeupsByOthersPerDay: int
    """Further turns of an entrant per world day that events of other players may cause; at most one for each 6 of its
    own."""
    wallSecondsPerTurn: float
    """Time by the clock that a turn may take."""
    speed: float
    """Speed of the worlds."""
    systemsPerGalaxy: int
    """Systems in each galaxy."""
    keySecret: str | None
    """What the API keys of the players are derived from; null as long as the tournament runs."""


@final
class TournamentTrace(TypedDict):
    game: int
    """Number of the game, from 1."""
    label: str
    """Name of the entrant in this tournament; also the name of its player."""
    lines: "list[TraceLine]"
    """The requests of the entrant with their answers, in the order of the answers."""
    lineCount: int
    """Lines of the whole trace, or of what `only` leaves."""
    isCut: bool
    """True if the entrant went on after the trace was full."""
    output: str | None
    """The end of what it has printed."""


@final
class TournamentWithheld(TypedDict):
    label: str
    """Name of the entrant in this tournament; also the name of its player."""
    games: int
    """Games it has played."""
    finished: int
    """Games in which it could play to the end."""
    faults: int
    """Games that it ended before they were over or could not be started in, and turns that it overran."""


@final
class TraceLine(TypedDict):
    turn: int | None
    """Number of the turn of the entrant."""
    wokenBy: NotRequired["WokenBy"]
    worldTime: Timestamp
    """World time of the answer."""
    requestId: str
    """Request id."""
    method: str
    """Method."""
    path: str
    """Path and query."""
    body: NotRequired[Any]
    """What was sent, if anything was."""
    status: int | None
    """Status of the answer."""
    code: NotRequired[str]
    """Code of the refusal."""
    answer: NotRequired[Any]
    """The answer, if it is short and not that of a read."""
    answerLength: NotRequired[int]
    """Length of any other answer."""
    ms: float
    """Milliseconds from the request to its answer."""


@final
class BeginTurnsRequestEntrantsItem(TypedDict):
    playerId: str
    """Player id."""
    commandsPerDay: NotRequired[int]
    """Defaults to that of the game."""
    wakeupsPerDay: NotRequired[int]
    """Defaults to that of the game."""


@final
class BeginTurnsRequest(TypedDict):
    entrants: "list[BeginTurnsRequestEntrantsItem]"
    """Who plays, each player once."""
    until: Timestamp
    """World time at which the game is over; later than now."""
    orderSeed: int
    """Seed of the order of entrants who are awake at the same time."""
    commandsPerDay: int
    """Commands per world day."""
    wakeupsPerDay: int
    """Turns per world day, without those that others cause."""
    wakeupsByOthersPerDay: NotRequired[int]
    """Further turns per world day that events of other players may cause; at most one for each 6 of the entrant's own.
    Defaults to 4."""
    wallSecondsPerTurn: int
    """Seconds of real time after which the server ends a turn."""


@final
class EndTurnRequest(TypedDict):
    """When the next turn begins. Without either member: at the next event of any type but `espionage_detected`,
    `message_received`, `offer_made`, `offer_ended`, `pact_proposed`, `pact_ended`, or a day later; if another player
    has caused this turn, as was said before it."""

    wakeAt: NotRequired[Timestamp | None]
    """World time, later than now."""
    wakeOn: NotRequired["list[EventTypeName]"]
    """The next turn begins at the next event of one of these types; left out: only at wakeAt."""


@final
class Turn(TypedDict):
    state: Literal["active", "waiting", "over"]
    """active: it is the caller's turn. waiting: it is not, or the game has not begun. over: the caller gets no further
    turn."""
    turn: int
    """Number of the caller's turns so far, the present one included."""
    worldTime: Timestamp
    """World time."""
    until: Timestamp | None
    """World time at which the game is over; null before it has begun."""
    commandsLeft: int
    """Commands that the caller has left this world day."""
    wakeupsLeft: int
    """Further turns that the caller can have this world day, without those that others cause."""
    wakeupsByOthersLeft: int
    """Further turns of the caller that others can cause this world day."""
    dayEndsAt: Timestamp | None
    """World time at which the next day of the game begins; null before it has begun."""
    wokenBy: "WokenBy | None"
    """Why the caller has this turn; null if it has none."""
    wallMsLeft: NotRequired[int]
    """If active: milliseconds of real time after which the server ends the turn."""


@final
class TurnsEntrantsItem(TypedDict):
    playerId: str
    """Player id."""
    isWithdrawn: bool
    """True if it has lost a turn since it was withdrawn."""
    wakeups: int
    """Its turns."""
    wakeupsByOthers: int
    """Of its turns, those that other players have caused."""
    commands: int
    """Its commands, those that were refused included."""
    refusals: dict[str, int]
    """Its refused commands by code."""
    overruns: int
    """Its turns that the server has ended."""


@final
class Turns(TypedDict):
    state: Literal["idle", "running", "over"]
    """idle: no game has begun since the server was started."""
    worldTime: Timestamp
    """World time."""
    until: Timestamp | None
    """World time at which the game is over; null before the first game."""
    turn: int
    """Number of turns of all entrants, the present one included."""
    activePlayerId: str | None
    """Player id."""
    entrants: "list[TurnsEntrantsItem]"
    """In the order in which they were named."""


@final
class WithdrawRequest(TypedDict):
    playerId: str
    """Player id."""


@final
class WokenBy(TypedDict):
    reason: Literal["wish", "event"]
    """wish: the instant has come that the caller asked for, or the game has begun."""
    type: "EventTypeName | None"
    """Type of the event; null for a wish."""
    seq: int | None
    """Seq of the event."""
    playerId: str | None
    """Player id."""


PlanStep: TypeAlias = PlanStep1 | PlanStep2 | PlanStep3 | PlanStep4
"""A step of a plan."""


StepOfEvent: TypeAlias = StepOfEvent1 | StepOfEvent2 | StepOfEvent3 | StepOfEvent4
"""A step of a plan, in an event."""


Pacts: TypeAlias = list[Pact]


OwnerOrNull: TypeAlias = Owner | None
"""Null if nobody owns the planet."""


PlanetView: TypeAlias = Planet | PlanetSummary


Answer: TypeAlias = AcceptPactAnswer | DeclinePactAnswer | TakeOfferAnswer
"""What another player waits for, or offers. `request` can be sent as it is, alone or in a batch."""


Option: TypeAlias = SecondStarterOption | UpgradeOption | ConstructOption | ShipsOption | ResearchOption
"""Something that can be started. `request` can be sent as it is, alone or in a batch."""


Report: TypeAlias = CombatReport | EspionageReport | EspionageDetection


HomeOrNull: TypeAlias = Home | None
"""Where the first planet of the player is; null if it owns none."""


GameEvent: TypeAlias = PlayerCreatedEvent | BuildingStartedEvent | BuildingCompletedEvent | BuildingCancelledEvent | ShipsOrderedEvent | ShipsCompletedEvent | ShipsCancelledEvent | ResearchStartedEvent | ResearchCompletedEvent | FleetLaunchedEvent | FleetArrivedEvent | FleetRecalledEvent | FleetReturnedEvent | FleetDestroyedEvent | FleetStationedEvent | SupportFoughtEvent | IncomingFleetEvent | IncomingFleetGoneEvent | CombatReportEvent | EspionageReportEvent | EspionageDetectedEvent | ResourcesReceivedEvent | PlanetColonizedEvent | ColonizationFailedEvent | AttackTurnedAwayEvent | ResourcesGrantedEvent | KeyRotatedEvent | KeysRevokedEvent | PlayerJoinedEvent | BattleEvent | WrecksLeftEvent | FieldHarvestedEvent | OfferMadeEvent | OfferTakenEvent | OfferEndedEvent | GoodsArrivedEvent | TradeAgreedEvent | PlayerRetiredEvent | PlayerSuspendedEvent | PlayerResumedEvent | PlayerRenamedEvent | AnnouncementEvent | MessageSentEvent | MessageReceivedEvent | PlayersSpokeEvent | MessageBroadcastEvent | PlanStepStartedEvent | PlanStepSkippedEvent | PlanStepBlockedEvent | PlanCompletedEvent | PactProposedEvent | PactBeganEvent | PactCancelledEvent | PactEndedEvent | PactEvent | ShockAnnouncedEvent | ShockBeganEvent | PiratesCameEvent | ClockPausedEvent | ClockResumedEvent | SpeedChangedEvent
"""Something that has happened; `type` determines `data`."""


AdvanceClockRequest: TypeAlias = AdvanceBySeconds | AdvanceToInstant | AdvanceToNextTimer


BulkPlayersRequest: TypeAlias = NumberedPlayers | NamedPlayers


IfMatch: TypeAlias = str
"""As the header If-Match."""


ShipsToSend: TypeAlias = ShipsToSend1 | ShipsToSend2
"""Ships of one type: with `type`, as fleets show them, or `shipType`, as planets and shipyards do."""


ReplayRequest: TypeAlias = MoveToSeq | MoveToInstant | MoveByStep | Play | MoveToGame


ResearchEffect: TypeAlias = ResearchEffect1 | ResearchEffect2 | ResearchEffect3
"""What each level adds, for all planets and ships of the player."""
