// Every operation and schema of the API. Generated from the OpenAPI document by `npm run documents`; do not edit by hand.

export interface paths {
    "/api/game/player": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates the one human player or a bot, or returns the existing one.
         * @description There is one human player: it is created once, and then returned whatever the name. Bots are distinguished by name; one that looks like the name of another player is refused with 409. With --auth key the reply to a creation holds the player's API key, and an existing player is returned only to its own key. With --registration closed only the operator creates players.
         */
        post: operations["createPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/state/{playerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a player with all planets, fleets and research.
         * @description Stocks are those at the world time of the reply. All running timers are shown with their ends.
         */
        get: operations["getState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/planets/{playerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns all planets of a player with full details.
         * @description They are the same as in the state of the player.
         */
        get: operations["getPlanets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/planet/{planetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a planet with buildings, ships and owner.
         * @description A planet that nobody owns has no stocks, buildings or ships. With --auth key, a planet that is not the caller's own is shown as in the system view.
         */
        get: operations["getPlanet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/galaxy/{galaxy}/system/{system}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a star system with all of its planets.
         * @description Each planet is shown with its owner, but without stocks, buildings and ships.
         */
        get: operations["getSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/galaxy/{galaxy}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an overview of a galaxy: for each system, who owns planets and which are free.
         * @description The planet in slot 4 of system 7 of galaxy 1 is `planet-1-7-4`.
         */
        get: operations["getGalaxy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/planet/starter/{playerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a player its second starter planet.
         * @description It has the stock and the buildings of a first one. The rules limit how many starter planets a player may have.
         */
        post: operations["createSecondStarter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/planet/{planetId}/colonize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes an unoccupied planet without a fleet, for development.
         * @description The path exists only with --development on, which is the default without --auth key; `GET /api/status` shows it. With --auth key the admin key is required.
         */
        post: operations["colonizePlanet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Launches a fleet on a mission.
         * @description By default the fleet uses the fastest drive whose h2 cost the origin can pay; among equally fast ones, the one with the lower cost. The h2 for the flight there and back is paid at launch. A fleet that finds nobody at its target returns. `warnings` says so beforehand, if it is known.
         */
        post: operations["launchFleet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/player/{playerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns all fleets of a player that are in flight.
         * @description A fleet that has come home or was destroyed is no longer listed.
         */
        get: operations["getFleets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/{fleetId}/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recalls an outbound fleet.
         * @description The way back takes as long as the fleet has flown. With --auth key every player can see whether a fleet exists: a fleet of another player is 403, one that does not exist 404.
         */
        post: operations["recallFleet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulates a launch with each drive, without launching anything.
         * @description The body is that of a launch, but only planets and ships are required. The origin must have an owner, whose research and fleets count. If there is no mission, none is checked. Every drive is listed, whatever `drive` says. `warnings` says if the fleet would turn round although it may be launched.
         */
        post: operations["simulateLaunch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/building/planet/{planetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the buildings of a planet with their construction queues.
         * @description A planet that nobody owns has none.
         */
        get: operations["getBuildings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/building/construct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a building that the planet does not have yet.
         * @description The building is at level 0 while it is upgraded to level 1.
         */
        post: operations["constructBuilding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/building/upgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts the next level of a building.
         * @description The cost is paid at once; the level is reached at `upgradeFinishAt`. One building of a planet can be upgraded at a time.
         */
        post: operations["upgradeBuilding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/building/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels an upgrade and refunds what was paid for it.
         * @description A building under construction disappears and can be constructed again.
         */
        post: operations["cancelBuilding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shipyard/planet/{planetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the orders and ships of a planet.
         * @description Ships that are in flight are not listed; they belong to their fleet.
         */
        get: operations["getShipyard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shipyard/build": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Orders ships of one type.
         * @description The ships are delivered together. Orders of the same type are queued; another type is refused meanwhile.
         */
        post: operations["buildShips"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shipyard/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels all orders of a ship type, without refund.
         * @description The order in production and all that wait behind it are cancelled.
         */
        post: operations["cancelShips"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/research/player/{playerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the research of a player.
         * @description All research that was started at least once.
         */
        get: operations["getResearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/research/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts the next level of a research; a player can have one in progress.
         * @description It costs nothing but time. A player can research one type at a time.
         */
        post: operations["startResearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/options/{planetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what can be started on a planet: upgrades, constructions, ships and research.
         * @description Each option has its cost, duration and gain, when it is affordable, what else is in the way, and the request that starts it. Ships are listed one at a time, if the planet has a shipyard. What has reached its highest level is not listed. Research is the same for all planets of a player. A planet that nobody owns has no options.
         */
        get: operations["getOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/brief/player/{playerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the whole situation of a player as short Markdown, for a language model.
         * @description At most 6000 characters; what does not fit is counted. Names that other players chose are quoted and marked. Not available in a batch.
         */
        get: operations["getBrief"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plan/planet/{planetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what the plan of a planet still has to do, and what each of its lanes waits for.
         * @description A planet without a plan has one without steps; so has every planet if the rules of the world have no plans, or nobody owns it.
         */
        get: operations["getPlan"];
        /**
         * Gives a planet a plan in place of the one that it has.
         * @description The steps are in three lanes: buildings, ships and research. Each lane starts its steps in order, each as soon as what it needs is idle and the stocks cover it; the lanes share the stocks, buildings first and then ships. What can start at once has started in the reply. A step is blocked if it cannot start before something else happens; then `onBlocked` decides. An empty list removes the plan. What is in progress goes on.
         */
        put: operations["putPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/event/player/{playerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the events of a player after a seq, and waits for one if there is none.
         * @description If there are events after `since`, they are returned at once. Otherwise the reply waits up to `wait` seconds for one. An event is shown once it is on disk. While the reply waits, no further request may be sent on its connection.
         */
        get: operations["getPlayerEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/event/world": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the public events of all players after a seq, and waits for one if there is none.
         * @description Topic `world`: players who join and are retired, planets that are colonized, battles; in a world without keys all fleets, too. Its events have seqs of their own. With --auth key it needs the key of any player, the spectator key or the admin key. If there are events after `since`, they are returned at once. Otherwise the reply waits up to `wait` seconds for one. An event is shown once it is on disk. While the reply waits, no further request may be sent on its connection.
         */
        get: operations["getWorldEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs up to 1,000 operations in order, each as if it had been sent alone.
         * @description The reply holds a status and a body for each operation; a refused operation does not stop the others. All changes are written to disk as one: after a crash, either all of them are present or none. The Authorization header of the batch applies to all operations. Administration and nested batches are not available. With `Prefer: return=minimal` (RFC 7240) the reply holds only statuses and the codes of problems.
         */
        post: operations["runBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the rules as data: costs, times, outputs, ships, drives and constants.
         * @description Formulas that depend on a level are given as tables by level.
         */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns every error code with its status and meaning.
         * @description Codes never change their meaning. Programs should decide by `code`, not by `title` or `detail`.
         */
        get: operations["getErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns version, settings, time and size of the world.
         * @description This is the only read that does not wait for the disk. It may include changes that are not durable yet: see seq and durableSeq. A process that is not sure whether it still leads the world answers it, too: see replica.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the first 100 players by points.
         * @description Points are the units of resources in buildings and ships. Players with equal points rank by age.
         */
        get: operations["getLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/report/player/{playerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns combat and espionage reports of a player, the newest first.
         * @description Only the newest reports are kept; see REPORTS_PER_PLAYER_MAX in the catalogue.
         */
        get: operations["getReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns who owns how much in all galaxies.
         * @description It is rendered at most once a second. Frames of the WebSocket, topic `map`, report what changes after it. With --auth key it needs the key of any player, the spectator key or the admin key.
         */
        get: operations["getMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/map/fleets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the fleets in flight, at most 10000.
         * @description It is rendered at most once a second. Frames of the WebSocket, topic `map`, report what changes after it. With --auth key it needs the spectator key or the admin key: players do not see the fleets of others.
         */
        get: operations["getMapFleets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/leaderboard/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the course of the points of the first 10 players.
         * @description A server takes samples from its start on and keeps them in memory: the course begins anew after a restart. As it gets longer, the interval between samples doubles. A replay returns the whole course.
         */
        get: operations["getLeaderboardHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the limits of this server, the cost of each operation and what the caller has left.
         * @description It takes nothing from the rate limit, so it is answered even if nothing is left.
         */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns links to documents and to the first things to read.
         * @description It is JSON for browsers, too.
         */
        get: operations["getStart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a page to read and try this interface in a browser.
         * @description The page is Swagger UI. It loads nothing from other hosts and keeps a key only in its memory.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/viewer.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the script of the page /docs.
         * @description It is always compressed with gzip.
         */
        get: operations["getDocsScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/viewer.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the style sheet of the page /docs.
         * @description It is always compressed with gzip.
         */
        get: operations["getDocsStyle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a page to watch the world in a browser.
         * @description It reads this interface like any client and commands nothing. It loads nothing from other hosts and keeps a key only in its memory.
         */
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/dashboard.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the script of the page /dashboard.
         * @description It is always compressed with gzip.
         */
        get: operations["getDashboardScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/dashboard.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the style sheet of the page /dashboard.
         * @description It is always compressed with gzip.
         */
        get: operations["getDashboardStyle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llms.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the game and this interface as one Markdown text, for language models.
         * @description It is enough to play from. It names the types, costs and times of the world that is served.
         */
        get: operations["getLanguageModelText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reports that the process is alive.
         * @description It looks at nothing else; whether commands are accepted is at `/readyz`.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reports whether the process can do what its role is for.
         * @description A process that leads, or that alone serves its world, is ready if it accepts commands; if it would refuse them now, the reply is the refusal that they would get. A standby is ready if it answers reads and is not far behind. With `role=leader` a standby is not ready: for load balancers that send commands to the leader only.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns this interface as an OpenAPI 3.1 document.
         * @description Its enumerations are the types of the rules that the world plays by; its examples are from a world that plays by `standard-1`.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the events, their streams and the frames of the WebSocket as an AsyncAPI 3.0 document.
         * @description Its enumerations are the types of the rules that the world plays by.
         */
        get: operations["getAsyncApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns metrics for Prometheus.
         * @description They cover requests, commands, writes to disk, timers, snapshots and the process, each with a help text. Routes are identified by their templates; no label holds anything that a client sent. The text is rendered at most once a second. It is not available in a batch.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns where a replay stands, and what it can be moved to.
         * @description A server that was not started with `galaxyd replay` answers 403.
         */
        get: operations["getReplay"];
        put?: never;
        /**
         * Moves a replay to a seq, an instant, the next event or battle or another game, or lets it play.
         * @description The reply comes once the position is reached. All who look at the replay share its position. If that is not one that the present world leads to, streams and WebSockets end as at a restart of the server. The past that is kept begins with `first` and ends with `last`; what lies outside is refused. `game` shows the world of another game of a tournament. A server that was not started with `galaxyd replay` answers 403.
         */
        post: operations["moveReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/replay/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns how much happened when, and the largest battles.
         * @description A process beside the server reads the whole history for it, from its beginning. Until `indexedShare` is 1 the rest is missing. A server that was not started with `galaxyd replay` answers 403.
         */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tournament": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the result of a tournament: standings, settings and games.
         * @description While the tournament runs, the games that are over are in it, and its key secret is null. POST /api/replay with `game` shows the world of one of them. A server that was not started with `galaxyd replay` and the folder of a tournament answers 403.
         */
        get: operations["getTournament"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/turn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns whether it is the caller's turn, and waits for it.
         * @description Entrants act one after another. While a player has its turn, world time stands still; outside of it, its commands are refused with 409 not_your_turn. Reads are always possible. The reply comes at once if it is the caller's turn or the game is over. A server that was not started with `--clock turns` answers 403.
         */
        get: operations["getTurn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/turn/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the caller's turn, and says when the next one begins.
         * @description Time moves on once everybody who is awake has ended the turn. The next turn begins at `wakeAt`, or at the first event of a type in `wakeOn` after this turn, whichever is earlier; without a body at any event, or a day later. If the caller has no turn left that day, it begins with the next day. A server that was not started with `--clock turns` answers 403.
         */
        post: operations["endTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the state of a game of turns, and waits for its end.
         * @description It shows the last game that has begun since the server was started. A server that was not started with `--clock turns` answers 403.
         */
        get: operations["getTurns"];
        put?: never;
        /**
         * Begins a game of turns, in which all entrants are awake now.
         * @description From now on the game moves the clock, from one instant to the next at which an entrant wants to act, until it is over. Entrants who are awake at the same instant act one after another, in an order that follows from `orderSeed` and the number of the turn. Budgets are for days of the game, which are counted from now. While it runs, nobody can register, and players cannot change their keys. The game is not part of the world: a restart of the server forgets it. A server that was not started with `--clock turns` answers 403.
         */
        post: operations["beginTurns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/turns/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives an entrant of a game of turns no further turn.
         * @description If it has its turn, the turn ends; a turn without a command is not counted then. Otherwise this takes effect where the next turn of the entrant would begin, so that the game does not depend on when it is noticed that an entrant is gone; until then the entrant is shown as not withdrawn. A server that was not started with `--clock turns` answers 403.
         */
        post: operations["withdrawEntrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advances a manual clock: by seconds, to an instant or to the next timer.
         * @description Timers that fall due fire at their own instants, before the reply. A real clock cannot be advanced, nor any while a game of turns runs: 403.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates bots in bulk: with given names, or named prefix-1, prefix-2 and so on.
         * @description Existing bots are listed unchanged, without a key. If the universe is full, bots that find no place are left out. Keys are random unless they are derived from `keySecret`: the same secret and names give the same keys in any world.
         */
        post: operations["createPlayers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/planet/{planetId}/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds whole units of resources to a planet that has an owner.
         * @description An omitted resource is 0. The grant is in the log, like any change.
         */
        post: operations["grantResources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a snapshot, and replies once it is on disk and verified.
         * @description The world keeps running meanwhile. If a snapshot is already in progress, the request waits for that one. A world in memory has no snapshots: 403.
         */
        post: operations["takeSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/state-hash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the hash of the whole state, to compare with a replay.
         * @description It reads every row of the world; all other requests wait meanwhile.
         */
        get: operations["getStateHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switches the world to another rule set.
         * @description The types of the current rules keep their positions in the lists; new ones are appended. Whatever is in progress ends at its planned time. From now on, costs and outputs are those of the new rules; refunds are what was paid. All other requests wait while planets are rewritten.
         */
        post: operations["switchRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/player/{playerId}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives the caller a new API key.
         * @description The key of the request stays valid for oldKeyValidSeconds, 300 by default. If the reply is lost, repeat the request with the old key and the same Idempotency-Key: it returns the same new key. A key that has been replaced cannot change keys any more. All durations are in world time. Without --auth key: 403.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/player/{playerId}/key/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes all API keys of the caller invalid at once.
         * @description Only the operator can give the player a key again. Without --auth key: 403.
         */
        post: operations["revokeKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/player/{playerId}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a player a new API key, also if the present one is lost, revoked or expired.
         * @description The present key is invalid at once, unless oldKeyValidSeconds says otherwise. Without --auth key: 403.
         */
        post: operations["rotateKeyOfPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/player/{playerId}/key/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes all API keys of a player invalid at once.
         * @description What the player has begun goes on. Without --auth key: 403.
         */
        post: operations["revokeKeysOfPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/player/{playerId}/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes a player from the world.
         * @description Its planets belong to nobody again, its fleets end with all ships and cargo, its key is invalid, and its name is free. Its id is never used again.
         */
        post: operations["retirePlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/players/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes the players who have done nothing for a while.
         * @description A player is active when a command of its own is accepted, or it is created, or its key is rotated; reads do not count. Players are retired in the order of their ids, 1000 at most in one request; `remaining` says how many are left. With dryRun nothing changes. Its planets belong to nobody again, its fleets end with all ships and cargo, its key is invalid, and its name is free. Its id is never used again.
         */
        post: operations["retireInactivePlayers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Building type; see GET /api/catalog.
         * @enum {string}
         */
        BuildingType: "zentrale" | "iron_mine" | "silver_mine" | "ember_extractor" | "h2_extractor" | "fusion_plant" | "shipyard" | "anti_spy" | "planetary_shield" | (string & {});
        /**
         * @description Ship type; see GET /api/catalog.
         * @enum {string}
         */
        ShipType: "scout" | "fighter" | "transport" | "colony_ship" | (string & {});
        /**
         * @description Drive type; see GET /api/catalog.
         * @enum {string}
         */
        DriveName: "combustion" | "ion" | "hyper" | "nexus" | "interdim" | (string & {});
        /**
         * @description Research type; see GET /api/catalog.
         * @enum {string}
         */
        ResearchType: "drive_ion" | "drive_hyper" | "drive_nexus" | "drive_interdim" | (string & {});
        /**
         * @description A resource.
         * @enum {string}
         */
        ResourceName: "iron" | "silver" | "ember" | "h2" | "energy";
        /**
         * @description What the fleet does at the target.
         * @enum {string}
         */
        Mission: "attack" | "transport" | "deploy" | "colonize" | "espionage";
        /**
         * @description Within a system, between systems or between galaxies.
         * @enum {string}
         */
        FlightType: "intraSystem" | "interSystem" | "interGalaxy";
        /**
         * @description Stable identifier of an error, for programs; see GET /api/errors.
         * @enum {string}
         */
        ErrorCode: "malformed_json" | "invalid_request" | "unauthenticated" | "read_only" | "forbidden" | "registration_closed" | "not_owner" | "route_not_found" | "system_not_found" | "player_not_found" | "planet_not_found" | "fleet_not_found" | "building_not_found" | "queue_entry_not_found" | "method_not_allowed" | "not_your_turn" | "command_budget_spent" | "turns_running" | "idempotency_key_in_flight" | "name_taken" | "building_exists" | "upgrade_in_progress" | "other_ship_in_production" | "research_in_progress" | "planet_occupied" | "starter_limit_reached" | "fleet_not_in_transit" | "universe_full" | "limit_reached" | "plans_not_in_rules" | "rules_not_compatible" | "events_expired" | "body_too_large" | "unsupported_media_type" | "not_leader" | "idempotency_key_reused" | "insufficient_ships" | "no_drive_available" | "hangar_capacity_exceeded" | "insufficient_h2" | "cargo_capacity_exceeded" | "shipyard_required" | "nothing_in_production" | "insufficient_resources" | "mission_not_possible" | "rate_limited" | "internal_error" | "overloaded" | "storage_unavailable" | "snapshot_failed" | "no_leader" | "replica_behind" | "shutting_down" | (string & {});
        CargoAmounts: {
            /** @description Iron. */
            iron: number;
            /** @description Silver. */
            silver: number;
            /** @description Ember. */
            ember: number;
            /** @description H2. */
            h2: number;
        };
        ResourceAmounts: {
            /** @description Iron. */
            iron: number;
            /** @description Silver. */
            silver: number;
            /** @description Ember. */
            ember: number;
            /** @description H2. */
            h2: number;
            /** @description Energy. */
            energy: number;
        };
        ShipCount: {
            shipType: components["schemas"]["ShipType"];
            /** @description Number of ships. */
            count: number;
        };
        Building: {
            /** @description Building id. */
            id: string;
            type: components["schemas"]["BuildingType"];
            /** @description Current level; 0 during the first construction. */
            level: number;
            /** @description Empty if no upgrade is in progress. */
            constructionQueue: components["schemas"]["ConstructionEntry"][];
        };
        ConstructionEntry: {
            /** @description Identifies the upgrade in POST /api/building/cancel. */
            queueId: string;
            /** @description The level that is being built. */
            targetLevel: number;
            /**
             * Format: date-time
             * @description When the upgrade was started.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the level is reached.
             */
            upgradeFinishAt: string;
        };
        GalaxyOverview: {
            galaxy: {
                /** @description Galaxy id. */
                id: string;
                index: number;
            };
            /** @description All systems of the galaxy, by index. */
            systems: components["schemas"]["SystemOverview"][];
        };
        /** @description A summary of the owning player. */
        Owner: {
            /** @description Player id. */
            id: string;
            name: string;
            isBot: boolean;
        };
        /** @description Null if nobody owns the planet. */
        OwnerOrNull: components["schemas"]["Owner"] | null;
        Planet: {
            /** @description Planet id. */
            id: string;
            name: string;
            slot: number;
            /** @description Whole units, rounded down. */
            iron: number;
            /** @description Whole units, rounded down. */
            silver: number;
            /** @description Whole units, rounded down. */
            ember: number;
            /** @description Whole units, rounded down; fuel for flights. */
            h2: number;
            /** @description Whole units, rounded down. */
            energy: number;
            system: components["schemas"]["SystemPosition"];
            production: components["schemas"]["Production"];
            /**
             * Format: date-time
             * @description When the upgrade or the first ship order is complete, or the plan can pay for a step, whichever is first; null if none is known.
             */
            nextTimerAt: string | null;
            /**
             * @description The planet is shown with everything on it. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            visibility: "full";
            buildings: components["schemas"]["Building"][];
            /** @description Ships stationed on the planet. */
            planetShips: components["schemas"]["ShipCount"][];
            shipyardQueue: components["schemas"]["ShipyardEntry"][];
            /** @description Steps that the plan of the planet has not started; absent without a plan. See GET /api/plan/planet/{planetId}. */
            planSteps?: number;
            owner: components["schemas"]["OwnerOrNull"];
        };
        /** @description The public fields of a planet. */
        PlanetSummary: {
            /** @description Planet id. */
            id: string;
            name: string;
            slot: number;
            system: components["schemas"]["SystemPosition"];
            /**
             * @description Only what every player may see is shown. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            visibility: "public";
            owner: components["schemas"]["OwnerOrNull"];
        };
        PlanetView: components["schemas"]["Planet"] | components["schemas"]["PlanetSummary"];
        /** @description What the planet produces in an hour, in units with up to three decimals, until a building changes. A stock at a later instant is the shown one plus the production since x-world-time; it can be one unit more, since stocks are shown rounded down. */
        Production: {
            /** @description Units of iron per hour. */
            iron: number;
            /** @description Units of silver per hour. */
            silver: number;
            /** @description Units of ember per hour. */
            ember: number;
            /** @description Units of h2 per hour. */
            h2: number;
            /** @description Units of energy per hour. */
            energy: number;
        };
        ShipyardEntry: {
            shipType: components["schemas"]["ShipType"];
            /** @description Number of ships in this order; they are delivered together. */
            count: number;
            /** @description False while the order waits for another one. */
            isBuilding: boolean;
            /**
             * Format: date-time
             * @description When the ships are delivered.
             */
            buildFinishAt: string;
        };
        ShipyardStatus: {
            queue: components["schemas"]["ShipyardEntry"][];
            /** @description Ships on the planet. */
            stock: components["schemas"]["ShipCount"][];
        };
        Star: {
            name: string;
            type: string;
            /** @description Kelvin. */
            temperature: number;
        };
        SystemOverview: {
            /** @description System id. */
            id: string;
            /** @description System index within the galaxy. */
            index: number;
            /** @description Number of planets. */
            planets: number;
            /** @description Number of planets that nobody owns. */
            free: number;
            /** @description Their slots. */
            freeSlots: number[];
            owners: {
                /** @description Player id. */
                playerId: string;
                /** @description Slots of its planets. */
                slots: number[];
            }[];
        };
        SystemPosition: {
            galaxyIndex: number;
            /** @description System index within the galaxy. */
            index: number;
        };
        SystemView: {
            galaxy: {
                /** @description Galaxy id. */
                id: string;
                index: number;
            };
            system: {
                /** @description System id. */
                id: string;
                /** @description System index within the galaxy. */
                index: number;
                star: components["schemas"]["Star"];
            };
            /** @description All planets of the system, ordered by slot. */
            planets: components["schemas"]["PlanetSummary"][];
        };
        /** @description A step of a plan. */
        PlanStep: {
            /**
             * @description What is done, as in the options of a planet.
             * @enum {string}
             */
            action: "upgrade" | "construct";
            buildingType: components["schemas"]["BuildingType"];
        } | {
            /**
             * @description What is done, as in the options of a planet.
             * @constant
             */
            action: "build_ships";
            shipType: components["schemas"]["ShipType"];
            /** @description Number of ships. */
            count: number;
        } | {
            /**
             * @description What is done, as in the options of a planet.
             * @constant
             */
            action: "research";
            researchType: components["schemas"]["ResearchType"];
        };
        ConstructOption: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "construct";
            buildingType: components["schemas"]["BuildingType"];
            /** @description The level that is reached. */
            level: number;
            cost: components["schemas"]["ResourceAmounts"];
            /** @description How long it takes. */
            seconds: number;
            /**
             * Format: date-time
             * @description When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. Null: they never do by themselves.
             */
            affordableAt: string | null;
            reason?: components["schemas"]["OptionReason"];
            /**
             * Format: date-time
             * @description Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At or before x-world-time: at once. Null: it would be blocked.
             */
            startsAt?: string | null;
            gain: {
                /** @description Points that the owner gets. */
                points: number;
                production?: components["schemas"]["Production"];
            };
            request: {
                /** @constant */
                method: "POST";
                /** @constant */
                path: "/api/building/construct";
                body: components["schemas"]["BuildingRequest"];
            };
        };
        /** @description Something that can be started. `request` can be sent as it is, alone or in a batch. */
        Option: components["schemas"]["UpgradeOption"] | components["schemas"]["ConstructOption"] | components["schemas"]["ShipsOption"] | components["schemas"]["ResearchOption"];
        /** @description Why it cannot be started even with full stocks. */
        OptionReason: {
            code: components["schemas"]["ErrorCode"];
            /** @description The reason in a sentence. */
            detail: string;
            /**
             * Format: date-time
             * @description When what is in the way is complete.
             */
            until?: string;
            /**
             * @description In a plan: the resource whose production covers the cost last, or never.
             * @enum {string}
             */
            resource?: "iron" | "silver" | "ember" | "h2" | "energy";
        };
        /** @description What a planet does by itself. */
        Plan: {
            /** @description Planet id. */
            planetId: string;
            /**
             * @description What becomes of a step that is blocked.
             * @enum {string}
             */
            onBlocked: "wait" | "skip";
            /** @description Those that have not started, in the order in which they were put. */
            steps: components["schemas"]["PlanStep"][];
            /** @description All three, in the order in which they take from the stocks. */
            lanes: components["schemas"]["PlanLane"][];
        };
        PlanLane: {
            /**
             * @description Which steps are in it: buildings, ships or research.
             * @enum {string}
             */
            lane: "buildings" | "ships" | "research";
            /** @description Steps of the lane that have not started. */
            stepsLeft: number;
            /**
             * @description busy: what is in progress comes first. waiting: the stocks will cover the first step, or a building that is in progress or planned may help it. blocked: it cannot start before something else happens. empty: no step is left.
             * @enum {string}
             */
            state: "busy" | "waiting" | "blocked" | "empty";
            /**
             * Format: date-time
             * @description Start of the first step: when what is in progress has ended and the stocks cover it by production alone. Null if that is not known, or no step is left.
             */
            startsAt: string | null;
            reason?: components["schemas"]["OptionReason"];
        };
        PlanetOptions: {
            /** @description Planet id. */
            planetId: string;
            /**
             * Format: date-time
             * @description When the next upgrade, ship order, research or flight of the owner ends; null if there is none. Until then the options stay as they are, but for what other players do.
             */
            nextTimerAt: string | null;
            /** @description Only if the rules have plans: how the plan of the planet stands; see GET /api/plan/planet/{planetId}. */
            plan?: {
                /** @description Steps that have not started. */
                stepsLeft: number;
                /** @description Steps that a plan may have. */
                stepsMax: number;
                lanes: components["schemas"]["PlanLane"][];
            };
            /** @description Those without a reason first, and of these the soonest affordable first. */
            options: components["schemas"]["Option"][];
        };
        ResearchOption: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "research";
            researchType: components["schemas"]["ResearchType"];
            /** @description The level that is reached. */
            level: number;
            cost: components["schemas"]["ResourceAmounts"];
            /** @description How long it takes. */
            seconds: number;
            /**
             * Format: date-time
             * @description When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. Null: they never do by themselves.
             */
            affordableAt: string | null;
            reason?: components["schemas"]["OptionReason"];
            /**
             * Format: date-time
             * @description Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At or before x-world-time: at once. Null: it would be blocked.
             */
            startsAt?: string | null;
            gain: {
                /** @description Points that the owner gets. */
                points: number;
                unlocks?: components["schemas"]["DriveName"];
                /** @description What each level does, in words. */
                effect?: string;
            };
            request: {
                /** @constant */
                method: "POST";
                /** @constant */
                path: "/api/research/start";
                body: components["schemas"]["StartResearchRequest"];
            };
        };
        ShipsOption: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "build_ships";
            shipType: components["schemas"]["ShipType"];
            /** @description Number of ships that cost, time and gain are for. */
            count: number;
            cost: components["schemas"]["ResourceAmounts"];
            /** @description How long it takes. */
            seconds: number;
            /**
             * Format: date-time
             * @description When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. Null: they never do by themselves.
             */
            affordableAt: string | null;
            reason?: components["schemas"]["OptionReason"];
            /**
             * Format: date-time
             * @description Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At or before x-world-time: at once. Null: it would be blocked.
             */
            startsAt?: string | null;
            gain: {
                /** @description Points that the owner gets. */
                points: number;
            };
            request: {
                /** @constant */
                method: "POST";
                /** @constant */
                path: "/api/shipyard/build";
                body: components["schemas"]["BuildShipsRequest"];
            };
        };
        UpgradeOption: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "upgrade";
            buildingType: components["schemas"]["BuildingType"];
            /** @description The level that is reached. */
            level: number;
            cost: components["schemas"]["ResourceAmounts"];
            /** @description How long it takes. */
            seconds: number;
            /**
             * Format: date-time
             * @description When the stocks of the planet cover the cost, by production alone. At or before x-world-time: they do now. Null: they never do by themselves.
             */
            affordableAt: string | null;
            reason?: components["schemas"]["OptionReason"];
            /**
             * Format: date-time
             * @description Only if the rules have plans: when a plan would start it as the first step of its lane, by production alone. At or before x-world-time: at once. Null: it would be blocked.
             */
            startsAt?: string | null;
            gain: {
                /** @description Points that the owner gets. */
                points: number;
                production?: components["schemas"]["Production"];
            };
            request: {
                /** @constant */
                method: "POST";
                /** @constant */
                path: "/api/building/upgrade";
                body: components["schemas"]["BuildingRequest"];
            };
        };
        /**
         * @description How a battle ended.
         * @enum {string}
         */
        CombatOutcome: "attacker_won" | "defender_won" | "draw";
        CombatReport: {
            /** @description Report id. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            at: string;
            /** @description Planet where it happened. */
            planetId: string;
            /** @description The player who sent the fleet. */
            attackerId: string;
            /** @description The player who owned the planet. */
            defenderId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "combat";
            outcome: components["schemas"]["CombatOutcome"];
            /** @description Rounds fought. */
            rounds: number;
            /** @description Hit points that the planetary shield added to the defence. */
            shieldHitPoints: number;
            attacker: components["schemas"]["CombatSide"];
            defender: components["schemas"]["CombatSide"];
            loot: components["schemas"]["CargoAmounts"];
            cargoLost: components["schemas"]["CargoAmounts"];
        };
        CombatSide: {
            /** @description Before the battle. */
            sent: components["schemas"]["ShipCount"][];
            lost: components["schemas"]["ShipCount"][];
            /** @description After the battle. */
            left: components["schemas"]["ShipCount"][];
        };
        CreatedPlayer: {
            /** @description Player id. */
            id: string;
            name: string;
            isBot: boolean;
            planets: components["schemas"]["Planet"][];
            fleets: components["schemas"]["Fleet"][];
            /** @description All research that was started at least once. */
            research: components["schemas"]["ResearchEntry"][];
            /**
             * Format: date-time
             * @description When the next upgrade, ship order, research or flight ends, or a plan can pay for a step; null if none of that is known.
             */
            nextTimerAt: string | null;
            /** @description Up to how many planets fleets colonize; only if the rules limit that by a research. A fleet that would take one more turns round. Starter planets count; neither they nor the colonize path of the development mode are limited. */
            planetsMax?: number;
            /**
             * Format: date-time
             * @description Until when attacks on its planets turn round; only if the rules protect new players. At or before x-world-time: no longer. Null: the player attacked, or never was protected.
             */
            protectedUntil?: string | null;
            /** @description Points for what the player destroyed of others; only if the rules say what counts as points. */
            battlePoints?: number;
            /** @description Seq of the last event that the state includes: the events after it are news. 0 before the first. */
            lastEventSeq: number;
            /** @description With --auth key: returned once, when the player is created. Only its hash is stored. */
            apiKey?: string;
        };
        EspionageDetection: {
            /** @description Report id. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            at: string;
            /** @description Planet where it happened. */
            planetId: string;
            /** @description The player who sent the fleet. */
            attackerId: string;
            /** @description The player who owned the planet. */
            defenderId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "espionage_detected";
            /** @description Number of scouts seen. */
            scouts: number;
        };
        EspionageReport: {
            /** @description Report id. */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            at: string;
            /** @description Planet where it happened. */
            planetId: string;
            /** @description The player who sent the fleet. */
            attackerId: string;
            /** @description The player who owned the planet. */
            defenderId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "espionage";
            stocks: components["schemas"]["ResourceAmounts"];
            /** @description Null if anti_spy hid them. */
            ships: components["schemas"]["ShipCount"][] | null;
            /** @description Null if anti_spy hid them. */
            buildings: {
                type: components["schemas"]["BuildingType"];
                /** @description Level. */
                level: number;
            }[] | null;
        };
        Fleet: {
            /** @description Fleet id. */
            id: string;
            mission: components["schemas"]["Mission"];
            /**
             * Format: date-time
             * @description When the fleet left its origin.
             */
            launchedAt: string;
            /**
             * Format: date-time
             * @description When the fleet reaches, or would have reached, its target.
             */
            arrivesAt: string;
            /**
             * Format: date-time
             * @description When the fleet is back at its origin; null if it does not return.
             */
            returnsAt: string | null;
            ships: {
                type: components["schemas"]["ShipType"];
                /** @description Number of ships. */
                count: number;
            }[];
            /** @description Player id of the owner. */
            playerId: string;
            /** @description Planet id of the origin. */
            originPlanetId: string;
            /** @description Planet id of the target. */
            targetPlanetId: string;
            state: components["schemas"]["FleetState"];
            drive: components["schemas"]["DriveName"];
            /** @description Distance units, one way. */
            distance: number;
            /** @description Seconds, one way. */
            flightSeconds: number;
            /** @description H2 paid at launch for the flight there and back. */
            h2Cost: number;
            resources: components["schemas"]["CargoAmounts"];
            /**
             * Format: date-time
             * @description When the fleet was recalled; null if it was not.
             */
            recalledAt: string | null;
        };
        /**
         * @description On the way to the target, or back to the origin.
         * @enum {string}
         */
        FleetState: "outbound" | "returning";
        /**
         * @description The code of a refusal of a launch that does not concern ownership.
         * @enum {string}
         */
        FlightRefusal: "limit_reached" | "insufficient_ships" | "no_drive_available" | "hangar_capacity_exceeded" | "insufficient_h2" | "cargo_capacity_exceeded" | "insufficient_resources" | "mission_not_possible";
        /** @description As things are now, the fleet turns round at its target, without having carried out its mission. */
        FlightWarning: {
            code: components["schemas"]["WarningCode"];
            /** @description The warning in a sentence. */
            detail: string;
            /**
             * Format: date-time
             * @description Until when the owner of the target is protected.
             */
            until?: string;
            limit?: {
                name: string;
                /** @description Its value. */
                maximum: number;
            };
            /** @description The research that raises the limit next. */
            raisedBy?: {
                researchType: components["schemas"]["ResearchType"];
                /** @description The level that it must reach. */
                level: number;
            };
        };
        Launch: {
            fleet: components["schemas"]["Fleet"];
            /** @description Distance units, one way. */
            distance: number;
            drive: components["schemas"]["DriveName"];
            /** @description Seconds, one way. */
            flightSeconds: number;
            /** @description H2 paid for the flight there and back. */
            h2Cost: number;
            /** @description Why the fleet would turn round at its target, as things are now; empty if it would not. */
            warnings: components["schemas"]["FlightWarning"][];
        };
        Player: {
            /** @description Player id. */
            id: string;
            name: string;
            isBot: boolean;
            planets: components["schemas"]["Planet"][];
            fleets: components["schemas"]["Fleet"][];
            /** @description All research that was started at least once. */
            research: components["schemas"]["ResearchEntry"][];
            /**
             * Format: date-time
             * @description When the next upgrade, ship order, research or flight ends, or a plan can pay for a step; null if none of that is known.
             */
            nextTimerAt: string | null;
            /** @description Up to how many planets fleets colonize; only if the rules limit that by a research. A fleet that would take one more turns round. Starter planets count; neither they nor the colonize path of the development mode are limited. */
            planetsMax?: number;
            /**
             * Format: date-time
             * @description Until when attacks on its planets turn round; only if the rules protect new players. At or before x-world-time: no longer. Null: the player attacked, or never was protected.
             */
            protectedUntil?: string | null;
            /** @description Points for what the player destroyed of others; only if the rules say what counts as points. */
            battlePoints?: number;
            /** @description Seq of the last event that the state includes: the events after it are news. 0 before the first. */
            lastEventSeq: number;
        };
        PlayerKey: {
            /** @description Player id. */
            playerId: string;
            /** @description The new API key; shown only here. Only its hash is stored. */
            apiKey: string;
            /**
             * Format: date-time
             * @description World time from which it is no longer valid; null if it is valid for ever.
             */
            expiresAt: string | null;
        };
        Report: components["schemas"]["CombatReport"] | components["schemas"]["EspionageReport"] | components["schemas"]["EspionageDetection"];
        ResearchEntry: {
            /** @description Research id. */
            id: string;
            type: components["schemas"]["ResearchType"];
            /** @description Highest completed level; 0 if none is. */
            level: number;
            isResearching: boolean;
            /**
             * Format: date-time
             * @description When the next level is completed; null if none is in progress.
             */
            researchFinishAt: string | null;
        };
        SimulatedFlight: {
            drive: components["schemas"]["DriveName"];
            /** @description Seconds, one way; 0 if the drive cannot fly this type. */
            flightSeconds: number;
            /** @description H2 for the flight there and back; 0 if the drive cannot fly this type. */
            h2Cost: number;
            /** @description Distance units, one way. */
            distance: number;
            flightType: components["schemas"]["FlightType"];
            /** @description Whether a launch with this drive would be accepted now. */
            possible: boolean;
            /** @description Why the launch is not possible. */
            reason?: {
                code: components["schemas"]["FlightRefusal"];
                /** @description The reason in a sentence, and what to do. */
                detail: string;
                /** @description Missing whole units or ships, by name. */
                missing?: {
                    [key: string]: number;
                };
            };
            /** @description Why the fleet would turn round at its target, as things are now; empty if it would not. */
            warnings: components["schemas"]["FlightWarning"][];
        };
        Simulation: {
            /** @description One entry for each drive. */
            results: components["schemas"]["SimulatedFlight"][];
            /** @description Distance units, one way. */
            distance: number;
            flightType: components["schemas"]["FlightType"];
        };
        /**
         * @description Stable identifier of a warning, for programs.
         * @enum {string}
         */
        WarningCode: "target_unowned" | "target_protected" | "planet_limit";
        BatchResults: {
            /** @description One for each operation, in order. */
            results: {
                /** @description Status of the operation, as if sent alone. */
                status: number;
                /** @description Reply to the operation; omitted with Prefer: return=minimal. */
                body?: unknown;
                code?: components["schemas"]["ErrorCode"];
            }[];
        };
        BulkPlayers: {
            players: {
                /** @description Player id. */
                id: string;
                name: string;
                /** @description Starter planet. */
                planetId: string;
                /** @description False if a bot of that name existed. */
                created: boolean;
                /** @description API key of a created player, with --auth key. */
                apiKey?: string;
            }[];
        };
        Catalog: {
            /** @description Version of the engine that interprets the rules. */
            rulesVersion: number;
            rules: components["schemas"]["RulesIdentity"];
            /** @description Multiplies production and divides durations. Times and outputs below are for speed 1. */
            speed: number;
            resources: components["schemas"]["ResourceName"][];
            buildings: {
                type: components["schemas"]["BuildingType"];
                /** @description Name for human readers; without it, the type is the name. Requests name the type. */
                displayName?: string;
                description: string;
                /** @description Highest level. */
                maximumLevel: number;
                /** @description One entry per level, from 1: whole units in the order of `resources`. */
                costs: number[][];
                /** @description One entry per level, from 1: whole units in the order of `resources`. */
                outputsPerHour: number[][];
                /** @description Seconds to build each level, from 1. */
                seconds: number[];
                defence?: components["schemas"]["DefenceRule"];
            }[];
            ships: {
                type: components["schemas"]["ShipType"];
                /** @description Name for human readers; without it, the type is the name. Requests name the type. */
                displayName?: string;
                cost: components["schemas"]["ResourceAmounts"];
                /** @description Seconds a ship takes in a level 1 shipyard; each further level takes 0.9 of the time. */
                baseSeconds: number;
                /** @description Hit points of damage per round. */
                attack: number;
                /** @description Hit points of the ship. */
                defence: number;
                /** @description Distance units per second. */
                speed: number;
                /** @description Cargo capacity in units. */
                cargo: number;
                h2Rate: number;
                /** @description Hangar space it needs; 0 if it flies by itself. */
                hangarSize: number;
                /** @description Hangar space it offers. */
                hangarCapacity: number;
                /** @description Types that it does more damage to; see war. */
                strongAgainst?: (components["schemas"]["ShipType"] | components["schemas"]["BuildingType"])[];
            }[];
            drives: {
                type: components["schemas"]["DriveName"];
                /** @description Name for human readers; without it, the type is the name. Requests name the type. */
                displayName?: string;
                /** @description Research that unlocks it; null if every player has it. */
                research: components["schemas"]["ResearchType"] | null;
                /** @description Speed multiplier by flight type; 0 if it cannot fly it. */
                multipliers: {
                    [key: string]: number;
                };
                h2Factor: number;
            }[];
            research: {
                type: components["schemas"]["ResearchType"];
                /** @description Name for human readers; without it, the type is the name. Requests name the type. */
                displayName?: string;
                unlocks: string;
                /** @description Highest level. */
                maximumLevel: number;
                /** @description Seconds to research each level, from 1. */
                seconds: number[];
                effect?: components["schemas"]["ResearchEffect"];
            }[];
            /** @description Which types have a special role: what builds ships, limits what scouts report, adds hit points to the defence of its planet, is needed for espionage, and is used up when a planet is colonized. */
            roles: {
                shipyard: components["schemas"]["BuildingType"];
                antiSpy: components["schemas"]["BuildingType"];
                planetaryShield: components["schemas"]["BuildingType"];
                scout: components["schemas"]["ShipType"];
                colonyShip: components["schemas"]["ShipType"];
            };
            missions: components["schemas"]["Mission"][];
            flightTypes: components["schemas"]["FlightType"][];
            /** @description If planets can have plans; see PUT /api/plan/planet/{planetId}. */
            plans?: {
                /** @description Steps of one plan. */
                stepsMax: number;
            };
            /** @description If a research limits up to how many planets fleets colonize. */
            colonies?: {
                research: components["schemas"]["ResearchType"];
                /** @description Up to how many planets the fleets of every player colonize. */
                planetsAtFirst: number;
                /** @description So many levels of the research allow one planet more. */
                levelsPerPlanet: number;
            };
            /** @description If only armed ships win battles, types are strong against each other, and new players are protected. */
            war?: {
                /** @description World seconds at speed 1 from the creation of a player in which attacks on its planets turn round, unless it attacks first. */
                protectionSeconds: number;
                /** @description Damage to a type that the own type is strong against, in per cent. */
                strongAgainstPercent: number;
            };
            /** @description If points are a share of what was spent, in per cent; otherwise everything counts whole. */
            points?: {
                /** @description What the buildings of a player's n-th planet count; the last entry is for all further ones. */
                planetPercents: number[];
                /** @description What ships count. */
                shipPercent: number;
                /** @description What the ships of others count that the player has destroyed. */
                destroyedPercent: number;
            };
            /** @description Constants and limits by name. */
            constants: {
                [key: string]: number;
            };
        };
        ClockPosition: {
            /**
             * Format: date-time
             * @description World time after the advance.
             */
            worldTime: string;
            /** @description Milliseconds by which the clock advanced. */
            advancedMs: number;
            /**
             * Format: date-time
             * @description When the next timer fires; null if none is pending.
             */
            nextTimerAt: string | null;
            /** @description Seq of the last entry. */
            seq: number;
        };
        ErrorRow: {
            code: components["schemas"]["ErrorCode"];
            status: number;
            type: string;
            title: string;
            /** @description What to do about it. */
            remedy: string;
        };
        ErrorTable: {
            errors: components["schemas"]["ErrorRow"][];
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        History: {
            /** @description Oldest seq that the world can be restored to; the history from there on can also be verified. */
            coveredFromSeq: number;
            /** @description True with --keep-history: no history is deleted. Otherwise each snapshot may delete the oldest part. */
            isKept: boolean;
        };
        Home: {
            galaxyIndex: number;
            /** @description System index within the galaxy. */
            index: number;
            /** @description The planet itself. */
            planetId: string;
        };
        /** @description Where the first planet of the player is; null if it owns none. */
        HomeOrNull: components["schemas"]["Home"] | null;
        Leaderboard: {
            /** @description Number of players in the world. */
            playerCount: number;
            players: {
                /** @description Rank, from 1. */
                rank: number;
                /** @description Player id. */
                id: string;
                name: string;
                isBot: boolean;
                /** @description Units of resources in buildings and ships. */
                points: number;
                /** @description Number of planets that the player owns. */
                planets: number;
                home: components["schemas"]["HomeOrNull"];
            }[];
        };
        Member: {
            /** @description Random, of this process. */
            id: string;
            /** @description Where clients reach it. */
            url: string;
            /**
             * @description Whether it takes commands, or follows the log of the leader.
             * @enum {string}
             */
            role: "leader" | "standby";
            /** @description Seq of the last entry that it has applied. */
            seq: number;
            /** @description Of the program. */
            version: string;
            /** @description Milliseconds since it reported this. */
            reportedAgoMs: number;
        };
        Origin: {
            /**
             * @description restore: the world as it was at an earlier seq; fork: a new world that begins in the state of another.
             * @enum {string}
             */
            kind: "restore" | "fork";
            /** @description Name of the data folder or copied snapshot that it was made from. */
            from: string;
            /** @description Last entry shared with the source world. */
            seq: number;
            /** @description Each seq and id that this world has handed out since has a number above this one. */
            base: number;
            /**
             * Format: date-time
             * @description World time of that entry.
             */
            worldTime: string;
            /** @description Hash of the state of both worlds at that entry, 16 hexadecimal digits. */
            stateHash: string;
            /**
             * Format: date-time
             * @description System time at which it was made.
             */
            madeAt: string;
        };
        /** @description RFC 9457 problem details, application/problem+json. */
        Problem: {
            /** @description URI reference to the row in GET /api/errors. */
            type: string;
            title: string;
            status: number;
            /** @description Describes this occurrence, and says what to do. */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            requestId: string;
            /** @description Errors in the shape of the request, and where they are. */
            errors?: {
                path: string;
                message: string;
            }[];
            /** @description Missing whole units or ships, by name. */
            missing?: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When production alone covers what is missing; null if never.
             */
            affordableAt?: string | null;
            /** @description The upgrade, research or ships in the way of the request. */
            inProgress?: {
                /** @description Planet id, of an upgrade or of ships. */
                planetId?: string;
                buildingType?: components["schemas"]["BuildingType"];
                researchType?: components["schemas"]["ResearchType"];
                shipType?: components["schemas"]["ShipType"];
                /** @description Identifies the upgrade in POST /api/building/cancel. */
                queueId?: string;
                /** @description The level that is being built or researched. */
                targetLevel?: number;
                /** @description Ships in all orders. */
                count?: number;
                /**
                 * Format: date-time
                 * @description When it was started.
                 */
                startedAt?: string;
                /**
                 * Format: date-time
                 * @description When it is complete.
                 */
                finishAt: string;
            };
            owner?: components["schemas"]["Owner"];
            limit?: {
                name: string;
                maximum: number;
            };
            /** @description Seq of the oldest event that is kept. */
            oldestSeq?: number;
            /** @description Present if the same request may succeed after this time. */
            retryAfterMs?: number;
        };
        Readiness: {
            /** @constant */
            status: "ready";
        };
        ReplicaState: {
            /** @description Random, of this process. */
            id: string;
            /**
             * @description Whether it takes commands, or follows the log of the leader.
             * @enum {string}
             */
            role: "leader" | "standby";
            /** @description Grows each time that a process begins to lead; 0 before the first. */
            epoch: number;
            /** @description Where the leader is reached; null if nobody leads, as far as this process knows. */
            leaderUrl: string | null;
            /** @description False while the process is not sure whether it leads: then it answers nothing that depends on the world. */
            mayAnswer: boolean;
            /** @description Milliseconds since the leader renewed its lease: on a standby, since it saw that. Null before the first time. */
            leaseAgeMs: number | null;
            /** @description How far a standby is behind the log, or for how long it has not reached it; zeros on the leader. */
            lag: {
                /** @description Entries of the log. */
                entries: number;
                /** @description Milliseconds. */
                ms: number;
            };
            /** @description The processes that reported lately. */
            members: components["schemas"]["Member"][];
        };
        RetiredPlayer: {
            /** @description Player id; it is never used again. */
            id: string;
            name: string;
            isBot: boolean;
            /**
             * Format: date-time
             * @description World time of its last command, or of its creation.
             */
            lastActiveAt: string;
            /** @description Planets that nobody owns any more. */
            planets: number;
            /** @description Fleets that ended. */
            fleets: number;
        };
        Retirement: {
            players: components["schemas"]["RetiredPlayer"][];
            /** @description Players who have been inactive for as long and were not retired. */
            remaining: number;
            /** @description True if nothing has changed. */
            dryRun: boolean;
        };
        RulesIdentity: {
            /** @description Name given by its author. */
            name: string;
            /** @description Version of the rule set of this name. */
            version: number;
            /** @description Equal digests mean equal rule sets. */
            digest: string;
        };
        Snapshot: {
            /** @description Last entry that the snapshot covers. */
            seq: number;
            /**
             * Format: date-time
             * @description World time of that entry.
             */
            worldTime: string;
            /** @description Hash of the state at that entry, 16 hexadecimal digits. */
            stateHash: string;
            /** @description Size on disk in bytes. */
            byteCount: number;
            /**
             * Format: date-time
             * @description System time at which it was taken.
             */
            takenAt: string;
        };
        Start: {
            name: string;
            version: string;
            description: string;
            links: {
                /** @description Page to watch the world in a browser. */
                dashboard: string;
                /** @description Page to read and try this interface in a browser. */
                docs: string;
                /** @description This interface as an OpenAPI 3.1 document. */
                openapi: string;
                /** @description Events and frames as an AsyncAPI 3.0 document. */
                asyncapi: string;
                /** @description The game and this interface as one text, for language models. */
                llms: string;
                /** @description Settings, time and size of the world. */
                status: string;
                /** @description The rules of the world as data. */
                catalog: string;
                /** @description Every error code. */
                errors: string;
                /** @description Limits on requests. */
                limits: string;
                /** @description The players by points. */
                leaderboard: string;
                /** @description Whether the process is alive. */
                health: string;
                /** @description Whether commands are accepted. */
                readiness: string;
                /** @description Metrics for Prometheus. */
                metrics: string;
            };
        };
        StateHash: {
            /** @description Seq of the last entry. */
            seq: number;
            /** @description Hash of the state, 16 hexadecimal digits. */
            hash: string;
        };
        Status: {
            name: string;
            version: string;
            /** @description True if the past of a world is shown; see GET /api/replay. */
            isReplay: boolean;
            /** @description Version of the engine that interprets the rules. */
            rulesVersion: number;
            rules: components["schemas"]["RulesIdentity"];
            /** @description Seed of the world. */
            seed: number;
            /** @description Speed of the world; 1 is the speed of the contract. */
            speed: number;
            /** @description Systems in each of the 100 galaxies. */
            systemsPerGalaxy: number;
            /**
             * @description What moves world time: the machine, the operator or a game of turns.
             * @enum {string}
             */
            clock: "real" | "manual" | "turns";
            /**
             * Format: date-time
             * @description World time.
             */
            worldTime: string;
            /**
             * Format: date-time
             * @description World time at which the world began.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the next timer of the world fires; null if none is pending.
             */
            nextTimerAt: string | null;
            /** @description Number of players. */
            players: number;
            /** @description Number of planets with an owner. */
            planets: number;
            /** @description Number of fleets in flight. */
            fleets: number;
            /** @description Number of entries in the log. */
            seq: number;
            /** @description Number of entries on disk. */
            durableSeq: number;
            /** @enum {string} */
            durability: "durable" | "relaxed";
            /** @description The newest snapshot; null before the first. */
            snapshot: components["schemas"]["Snapshot"] | null;
            /** @description How much history is on disk; null for a world in memory. */
            history: components["schemas"]["History"] | null;
            /** @description Source of a restored or forked world; null for any other. */
            origin: components["schemas"]["Origin"] | null;
            /** @description The role of this process; null if it alone serves the world. */
            replica: components["schemas"]["ReplicaState"] | null;
            /** @enum {string} */
            auth: "none" | "key";
            /**
             * @description Whether anybody may create a player, or only the operator.
             * @enum {string}
             */
            registration: "open" | "closed";
            /**
             * @description Whether the path that takes a planet without a fleet exists.
             * @enum {string}
             */
            development: "on" | "off";
            /** @description The rate limit of requests; null if there is none. See GET /api/limits. */
            rateLimits: {
                /** @description Tokens that a bucket regains per second. */
                perSecond: number;
                /** @description Tokens of a full bucket. */
                burst: number;
            } | null;
            /**
             * @description Which HTTP server handles the requests.
             * @enum {string}
             */
            http: "native" | "javascript";
            /** @description Advice for the operator. */
            hint?: string;
            /** @description Version of Node. */
            node: string;
            /** @description Seconds since the process started serving. */
            uptimeSeconds: number;
        };
        Success: {
            success: boolean;
        };
        /** @description The player was created. */
        PlayerCreatedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "player_created";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                name: string;
                isBot: boolean;
                /** @description Planet id of the starter planet. */
                planetId: string;
            };
        };
        /** @description An upgrade or a first construction was started. */
        BuildingStartedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "building_started";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                /** @description Queue id of the upgrade, as in POST /api/building/cancel. */
                queueId: string;
                buildingType: components["schemas"]["BuildingType"];
                /** @description The level that is being built. */
                targetLevel: number;
                /**
                 * Format: date-time
                 * @description When it is complete.
                 */
                finishAt: string;
            };
        };
        /** @description A building has reached its next level. */
        BuildingCompletedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "building_completed";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                /** @description Queue id of the upgrade, as in POST /api/building/cancel. */
                queueId: string;
                buildingType: components["schemas"]["BuildingType"];
                /** @description The new level. */
                level: number;
            };
        };
        /** @description An upgrade was cancelled. */
        BuildingCancelledEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "building_cancelled";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                /** @description Queue id of the upgrade, as in POST /api/building/cancel. */
                queueId: string;
                buildingType: components["schemas"]["BuildingType"];
                /** @description The level that was being built. */
                targetLevel: number;
                refund: components["schemas"]["ResourceAmounts"];
            };
        };
        /** @description Ships were ordered. */
        ShipsOrderedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ships_ordered";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                shipType: components["schemas"]["ShipType"];
                /** @description Number of ships. */
                count: number;
                /**
                 * Format: date-time
                 * @description When the ships of this order are delivered; orders before it are delivered by then.
                 */
                finishAt: string;
            };
        };
        /** @description The ships of an order were delivered. */
        ShipsCompletedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ships_completed";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                shipType: components["schemas"]["ShipType"];
                /** @description Number of ships. */
                count: number;
            };
        };
        /** @description All orders of a planet were cancelled. */
        ShipsCancelledEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ships_cancelled";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                shipType: components["schemas"]["ShipType"];
                /** @description Number of ships in these orders. */
                count: number;
            };
        };
        /** @description Research was started. */
        ResearchStartedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "research_started";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                researchType: components["schemas"]["ResearchType"];
                /** @description The level in progress. */
                targetLevel: number;
                /**
                 * Format: date-time
                 * @description When it is complete.
                 */
                finishAt: string;
            };
        };
        /** @description Research has reached its next level. */
        ResearchCompletedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "research_completed";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                researchType: components["schemas"]["ResearchType"];
                /** @description The new level. */
                level: number;
            };
        };
        /** @description A fleet of the player has set out. */
        FleetLaunchedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fleet_launched";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Fleet id. */
                fleetId: string;
                mission: components["schemas"]["Mission"];
                /** @description Planet id of the origin. */
                originPlanetId: string;
                /** @description Planet id of the target. */
                targetPlanetId: string;
                ships: {
                    type: components["schemas"]["ShipType"];
                    /** @description Number of ships. */
                    count: number;
                }[];
                resources: components["schemas"]["CargoAmounts"];
                /** @description H2 paid for the flight there and back. */
                h2Cost: number;
                /**
                 * Format: date-time
                 * @description When the fleet reaches its target.
                 */
                arrivesAt: string;
                /**
                 * Format: date-time
                 * @description When the fleet is back at its origin; null if it does not return.
                 */
                returnsAt: string | null;
            };
        };
        /** @description A fleet of the player has reached its target. The effects of its mission follow as events of their own. */
        FleetArrivedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fleet_arrived";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Fleet id. */
                fleetId: string;
                mission: components["schemas"]["Mission"];
                /** @description Planet id of the origin. */
                originPlanetId: string;
                /** @description Planet id of the target. */
                targetPlanetId: string;
                ships: {
                    type: components["schemas"]["ShipType"];
                    /** @description Number of ships. */
                    count: number;
                }[];
                resources: components["schemas"]["CargoAmounts"];
                /**
                 * Format: date-time
                 * @description When the fleet is back at its origin; null if it does not return.
                 */
                returnsAt: string | null;
            };
        };
        /** @description A fleet of the player was recalled. */
        FleetRecalledEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fleet_recalled";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Fleet id. */
                fleetId: string;
                mission: components["schemas"]["Mission"];
                /** @description Planet id of the origin. */
                originPlanetId: string;
                /** @description Planet id of the target. */
                targetPlanetId: string;
                /**
                 * Format: date-time
                 * @description When the fleet is back at its origin.
                 */
                returnsAt: string;
            };
        };
        /** @description A fleet of the player has landed at its origin. */
        FleetReturnedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fleet_returned";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Fleet id. */
                fleetId: string;
                mission: components["schemas"]["Mission"];
                /** @description Planet id of the origin. */
                originPlanetId: string;
                /** @description Planet id of the target. */
                targetPlanetId: string;
                ships: {
                    type: components["schemas"]["ShipType"];
                    /** @description Number of ships. */
                    count: number;
                }[];
                resources: components["schemas"]["CargoAmounts"];
            };
        };
        /** @description A fleet of the player has no ships left. */
        FleetDestroyedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fleet_destroyed";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Fleet id. */
                fleetId: string;
                mission: components["schemas"]["Mission"];
                /** @description Planet id of the origin. */
                originPlanetId: string;
                /** @description Planet id of the target. */
                targetPlanetId: string;
            };
        };
        /** @description Another player's fleet is on its way to a planet of the player. The rules of espionage decide what is shown of it. */
        IncomingFleetEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "incoming_fleet";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Fleet id. */
                fleetId: string;
                /** @description Player id of the owner of the fleet. */
                senderId: string;
                originSystem: components["schemas"]["SystemPosition"];
                /** @description Planet id of the target. */
                targetPlanetId: string;
                /** @description Null if the player cannot see it. */
                mission: components["schemas"]["Mission"] | null;
                /** @description Number of ships of all types. */
                shipCount: number | null;
                /** @description Null if the player cannot see them. */
                ships: {
                    type: components["schemas"]["ShipType"];
                    /** @description Number of ships. */
                    count: number;
                }[] | null;
                /**
                 * Format: date-time
                 * @description When the fleet reaches the planet.
                 */
                arrivesAt: string;
            };
        };
        /** @description Such a fleet was recalled, or its player was retired. */
        IncomingFleetGoneEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "incoming_fleet_gone";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Fleet id. */
                fleetId: string;
                /** @description Player id of the owner of the fleet. */
                senderId: string;
                originSystem: components["schemas"]["SystemPosition"];
                /** @description Planet id of the target. */
                targetPlanetId: string;
            };
        };
        /** @description The player has fought a battle, as attacker or defender. */
        CombatReportEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "combat_report";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Report id; GET /api/report/player/{playerId} has all of it. */
                reportId: string;
                /** @description Fleet id. */
                fleetId: string;
                /** @description Planet id. */
                planetId: string;
                /** @description The player who sent the fleet. */
                attackerId: string;
                /** @description The player who owned the planet. */
                defenderId: string;
                outcome: components["schemas"]["CombatOutcome"];
                attackerLost: components["schemas"]["ShipCount"][];
                defenderLost: components["schemas"]["ShipCount"][];
                loot: components["schemas"]["CargoAmounts"];
            };
        };
        /** @description Scouts of the player have spied on a planet. */
        EspionageReportEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "espionage_report";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Report id; GET /api/report/player/{playerId} has all of it. */
                reportId: string;
                /** @description Fleet id. */
                fleetId: string;
                /** @description Planet id. */
                planetId: string;
                /** @description The player who owned the planet. */
                defenderId: string;
                stocks: components["schemas"]["ResourceAmounts"];
                /** @description Null if anti_spy hid them. */
                ships: components["schemas"]["ShipCount"][] | null;
                /** @description Null if anti_spy hid them. */
                buildings: {
                    type: components["schemas"]["BuildingType"];
                    /** @description Level. */
                    level: number;
                }[] | null;
            };
        };
        /** @description A planet of the player was spied on. */
        EspionageDetectedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "espionage_detected";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Report id; GET /api/report/player/{playerId} has all of it. */
                reportId: string;
                /** @description Fleet id. */
                fleetId: string;
                /** @description Planet id. */
                planetId: string;
                /** @description The player who sent the fleet. */
                attackerId: string;
                /** @description Number of scouts seen. */
                scouts: number;
            };
        };
        /** @description A transport has unloaded cargo on a planet of the player. */
        ResourcesReceivedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resources_received";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                /** @description Fleet id. */
                fleetId: string;
                /** @description Player id of the owner of the fleet; it may be the receiver. */
                senderId: string;
                resources: components["schemas"]["CargoAmounts"];
            };
        };
        /** @description A player has gained a planet besides its first. */
        PlanetColonizedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "planet_colonized";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                /** @description Fleet id; null if no fleet was needed. */
                fleetId: string | null;
            };
        };
        /** @description A fleet of the player could not take its target. */
        ColonizationFailedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "colonization_failed";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Fleet id. */
                fleetId: string;
                mission: components["schemas"]["Mission"];
                /** @description Planet id of the origin. */
                originPlanetId: string;
                /** @description Planet id of the target. */
                targetPlanetId: string;
                /**
                 * @description Somebody owns the planet, or the player has as many as it may have.
                 * @enum {string}
                 */
                reason: "planet_occupied" | "planet_limit";
                /**
                 * Format: date-time
                 * @description When the fleet is back at its origin.
                 */
                returnsAt: string;
            };
        };
        /** @description A fleet of the player that was to attack has turned round: the owner of its target is protected. */
        AttackTurnedAwayEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attack_turned_away";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Fleet id. */
                fleetId: string;
                mission: components["schemas"]["Mission"];
                /** @description Planet id of the origin. */
                originPlanetId: string;
                /** @description Planet id of the target. */
                targetPlanetId: string;
                /** @description Player id of the owner of the target. */
                defenderId: string;
                /**
                 * Format: date-time
                 * @description When the protection ends.
                 */
                protectedUntil: string;
                /**
                 * Format: date-time
                 * @description When the fleet is back at its origin.
                 */
                returnsAt: string;
            };
        };
        /** @description The operator has granted resources. */
        ResourcesGrantedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resources_granted";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                resources: components["schemas"]["ResourceAmounts"];
            };
        };
        /** @description The player has a new API key. */
        KeyRotatedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "key_rotated";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /**
                 * Format: date-time
                 * @description World time from which the new key is not valid; null if it is valid for ever.
                 */
                expiresAt: string | null;
                /**
                 * Format: date-time
                 * @description The same for the key before; null if it is invalid already, or there was none.
                 */
                oldKeyUntil: string | null;
            };
        };
        /** @description The player has no API key any more. */
        KeysRevokedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "keys_revoked";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: Record<string, never>;
        };
        /** @description A player has joined the world. */
        PlayerJoinedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "player_joined";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                name: string;
                isBot: boolean;
                /** @description Planet id of the starter planet. */
                planetId: string;
            };
        };
        /** @description A fleet and a planet have fought. The event is about the attacker. */
        BattleEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "battle";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                /** @description Fleet id. */
                fleetId: string;
                /** @description The player who sent the fleet. */
                attackerId: string;
                /** @description The player who owned the planet. */
                defenderId: string;
                outcome: components["schemas"]["CombatOutcome"];
                /** @description Rounds fought. */
                rounds: number;
                /** @description Ships that the attacker lost. */
                attackerLostCount: number;
                /** @description Ships that the defender lost. */
                defenderLostCount: number;
            };
        };
        /** @description The operator has retired a player, of whom nothing is left. */
        PlayerRetiredEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "player_retired";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                name: string;
                /** @description Planet ids of the planets that nobody owns any more. */
                planetIds: string[];
            };
        };
        /** @description The plan of a planet has started a step. The event of what has started precedes it. */
        PlanStepStartedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan_step_started";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                step: components["schemas"]["PlanStep"];
                /** @description Steps of the plan that have not started. */
                stepsLeft: number;
            };
        };
        /** @description The plan of a planet has dropped a step that was blocked. */
        PlanStepSkippedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan_step_skipped";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                step: components["schemas"]["PlanStep"];
                /**
                 * @description The error code that the command of the step would return.
                 * @enum {unknown}
                 */
                reason: "building_not_found" | "building_exists" | "limit_reached" | "shipyard_required" | "insufficient_resources";
                /** @description Steps of the plan that have not started. */
                stepsLeft: number;
            };
        };
        /** @description A lane of the plan of a planet waits, because its first step is blocked. Told once for each step. */
        PlanStepBlockedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan_step_blocked";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
                step: components["schemas"]["PlanStep"];
                /**
                 * @description The error code that the command of the step would return.
                 * @enum {unknown}
                 */
                reason: "building_not_found" | "building_exists" | "limit_reached" | "shipyard_required" | "insufficient_resources";
            };
        };
        /** @description The plan of a planet has no step left, and no longer exists. */
        PlanCompletedEvent: {
            /** @description Counts the events of the receiver, without gaps. */
            seq: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan_completed";
            /**
             * Format: date-time
             * @description World time of the event.
             */
            at: string;
            /** @description Player id of the receiver; in topic `world`, of the player whom the event is about. */
            playerId: string;
            data: {
                /** @description Planet id. */
                planetId: string;
            };
        };
        EventPage: {
            /** @description Events after `since`, oldest first. */
            events: components["schemas"]["GameEvent"][];
            /** @description Seq of the last event; 0 before the first. */
            lastSeq: number;
            /** @description Seq of the oldest event that is kept; lastSeq + 1 if none is. */
            oldestSeq: number;
        };
        /** @description Something that has happened; `type` determines `data`. */
        GameEvent: components["schemas"]["PlayerCreatedEvent"] | components["schemas"]["BuildingStartedEvent"] | components["schemas"]["BuildingCompletedEvent"] | components["schemas"]["BuildingCancelledEvent"] | components["schemas"]["ShipsOrderedEvent"] | components["schemas"]["ShipsCompletedEvent"] | components["schemas"]["ShipsCancelledEvent"] | components["schemas"]["ResearchStartedEvent"] | components["schemas"]["ResearchCompletedEvent"] | components["schemas"]["FleetLaunchedEvent"] | components["schemas"]["FleetArrivedEvent"] | components["schemas"]["FleetRecalledEvent"] | components["schemas"]["FleetReturnedEvent"] | components["schemas"]["FleetDestroyedEvent"] | components["schemas"]["IncomingFleetEvent"] | components["schemas"]["IncomingFleetGoneEvent"] | components["schemas"]["CombatReportEvent"] | components["schemas"]["EspionageReportEvent"] | components["schemas"]["EspionageDetectedEvent"] | components["schemas"]["ResourcesReceivedEvent"] | components["schemas"]["PlanetColonizedEvent"] | components["schemas"]["ColonizationFailedEvent"] | components["schemas"]["AttackTurnedAwayEvent"] | components["schemas"]["ResourcesGrantedEvent"] | components["schemas"]["KeyRotatedEvent"] | components["schemas"]["KeysRevokedEvent"] | components["schemas"]["PlayerJoinedEvent"] | components["schemas"]["BattleEvent"] | components["schemas"]["PlayerRetiredEvent"] | components["schemas"]["PlanStepStartedEvent"] | components["schemas"]["PlanStepSkippedEvent"] | components["schemas"]["PlanStepBlockedEvent"] | components["schemas"]["PlanCompletedEvent"];
        Limits: {
            /** @description The rate limit of requests; null if there is none. */
            requests: {
                /** @description Whose bucket this request took from: that of the player whose key was sent, or of the address. */
                countedBy: "player" | "address";
                /** @description Tokens that the bucket regains per second. */
                perSecond: number;
                /** @description Tokens of a full bucket. */
                burst: number;
                /** @description Seconds in which an empty bucket is full again. */
                windowSeconds: number;
                /** @description Tokens left, at the time of the reply. */
                left: number;
                /** @description Milliseconds until the bucket is full, if nothing is taken meanwhile. */
                fullInMs: number;
            } | null;
            /** @description The rate limit of new players, always of the address; null if there is none. */
            registrations: {
                /** @description Players that an address may create per minute. */
                perMinute: number;
                /** @description Tokens left, at the time of the reply. */
                left: number;
                /** @description Milliseconds until the bucket is full, if nothing is taken meanwhile. */
                fullInMs: number;
            } | null;
            connections: {
                /** @description Open connections of all clients. */
                maximum: number;
                /** @description Open connections of one address; loopback addresses have no such limit. */
                perAddress: number;
                /** @description Seconds of silence after which the server closes a connection. */
                idleSeconds: number;
            };
            bodies: {
                /** @description Longest body of a request. */
                bytes: number;
                /** @description Longest body of a batch. */
                batchBytes: number;
                /** @description Operations of one batch. */
                batchOperations: number;
                /** @description Each further so many bytes of a body take one more token. */
                bytesPerToken: number;
            };
            events: {
                /** @description Events of one long poll. */
                perReply: number;
                /** @description How long a long poll may wait. */
                waitSeconds: number;
                /** @description Long polls that wait for the events of one player, and streams of them. */
                readersPerPlayer: number;
                /** @description Seconds after which a stream or a WebSocket whose client reads nothing is cut off. */
                stallSeconds: number;
            };
            /** @description What each operation takes from the rate limit of requests. */
            costs: {
                operationId: string;
                /**
                 * @description Method of the operation.
                 * @enum {string}
                 */
                method: "GET" | "POST" | "PUT";
                path: string;
                /** @description Tokens. A batch takes the sum of its operations, each of them one at least. */
                cost: number;
            }[];
        };
        GalaxyCells: {
            index: number;
            /** @description Planets that have an owner. */
            planets: number;
            /** @description Players who own planets there. */
            players: number;
            /** @description By cell: the number of the player who owns the most planets there, of several the lowest; 0 if nobody does. `player-7` has the number 7. Cell n has the systems from n times systemsPerCell on. */
            owners: number[];
            /** @description By cell: planets that have an owner. */
            owned: number[];
        };
        LeaderboardCourses: {
            /**
             * Format: date-time
             * @description World time of the first sample.
             */
            from: string;
            /**
             * Format: date-time
             * @description World time of the last sample, which is the present.
             */
            to: string;
            /** @description World times of the samples, oldest first, at most 512. */
            samples: string[];
            /** @description The first 10 players at present, the first one first. */
            players: {
                /** @description Player id. */
                id: string;
                name: string;
                isBot: boolean;
                /** @description By sample: its points; null if it was not on the leaderboard then. */
                points: (number | null)[];
            }[];
        };
        MapFleets: {
            /** @description The state that is shown. Subscribe to the topic `map` with this as `since`. */
            feedSeq: number;
            /**
             * Format: date-time
             * @description World time of the state that is shown.
             */
            worldTime: string;
            /** @description Fleets in flight. */
            total: number;
            /** @description A power of two. Only fleets whose number is divisible by it are listed: above 1 there are more than can be shown. If it rises, remove the others; if it falls, fetch all fleets again. */
            stride: number;
            /** @description What the third number of a leg means. */
            missions: components["schemas"]["Mission"][];
            /** @description Fleets, at most 10000. A leg is one way; departure and arrival are world time in milliseconds since 1970, and the position between them is linear in world time. `fleet-7` has the number 7, and `player-7` the number 7. Each is [fleet number, player number, index in missions, 1 if it returns, else 0, from galaxy, from system, from slot, to galaxy, to system, to slot, departure, arrival]. */
            legs: number[][];
        };
        MapOverview: {
            /** @description The state that is shown. Subscribe to the topic `map` with this as `since`. */
            feedSeq: number;
            /**
             * Format: date-time
             * @description World time of the state that is shown.
             */
            worldTime: string;
            /** @description Systems in each galaxy. */
            systemsPerGalaxy: number;
            /** @description Systems in a cell: as few as needed for at most 300 cells in a galaxy. */
            systemsPerCell: number;
            /** @description Planets that have an owner. */
            planets: number;
            /** @description Players. */
            players: number;
            /** @description Those with a planet that has an owner, by index. */
            galaxies: components["schemas"]["GalaxyCells"][];
        };
        AdvanceBySeconds: {
            /** @description World seconds to advance by. */
            seconds: number;
        };
        AdvanceClockRequest: components["schemas"]["AdvanceBySeconds"] | components["schemas"]["AdvanceToInstant"] | components["schemas"]["AdvanceToNextTimer"];
        AdvanceToInstant: {
            /**
             * Format: date-time
             * @description World time to advance to; must not be in the past.
             */
            to: string;
        };
        AdvanceToNextTimer: {
            /**
             * @description Advance to the next timer.
             * @constant
             */
            nextTimer: true;
        };
        BatchRequest: {
            /** @description Operations, run in this order. */
            operations: {
                /**
                 * @description Method of the operation.
                 * @enum {string}
                 */
                method: "GET" | "POST" | "PUT";
                /** @description Path of the operation. */
                path: string;
                /** @description Body of the operation, as if sent alone. */
                body?: unknown;
            }[];
        };
        BuildShipsRequest: {
            /** @description Planet id. */
            planetId: string;
            shipType: components["schemas"]["ShipType"];
            /** @description Number of ships. */
            count: number;
            /** @description Player id. If given, the planet must belong to this player. */
            playerId?: string;
        };
        BuildingRequest: {
            /** @description Planet id. */
            planetId: string;
            buildingType: components["schemas"]["BuildingType"];
            /** @description Player id. If given, the planet must belong to this player. */
            playerId?: string;
        };
        BulkPlayersRequest: components["schemas"]["NumberedPlayers"] | components["schemas"]["NamedPlayers"];
        CancelBuildingRequest: {
            /** @description Planet id. */
            planetId: string;
            /** @description Queue id from the building's constructionQueue. */
            queueId: string;
            /** @description Player id. If given, the planet must belong to this player. */
            playerId?: string;
        };
        CancelShipsRequest: {
            /** @description Planet id. */
            planetId: string;
            shipType: components["schemas"]["ShipType"];
            /** @description Player id. If given, the planet must belong to this player. */
            playerId?: string;
        };
        ColonizeRequest: {
            /** @description Player id. */
            playerId: string;
        };
        CreatePlayerRequest: {
            /**
             * Format: player-name
             * @description Name of the player, of characters that are seen: no control and format characters but within whole emoji, and no spaces at its ends. A name that looks like that of another player is refused.
             */
            name: string;
            /** @description If true, the bot of this name; otherwise the one human player, whatever the name. */
            isBot?: boolean;
        };
        EmptyRequest: Record<string, never>;
        GrantRequest: {
            /** @description Iron. */
            iron?: number;
            /** @description Silver. */
            silver?: number;
            /** @description Ember. */
            ember?: number;
            /** @description H2. */
            h2?: number;
            /** @description Energy. */
            energy?: number;
        };
        LaunchRequest: {
            /** @description Player id. */
            playerId: string;
            mission: components["schemas"]["Mission"];
            /** @description Planet id. */
            originPlanetId: string;
            /** @description Planet id. */
            targetPlanetId: string;
            /** @description Ships to send; entries of the same type are added up. */
            ships: {
                type: components["schemas"]["ShipType"];
                /** @description Number of ships. */
                count: number;
            }[];
            /** @description Units to carry, each rounded down to whole ones; an omitted resource is 0. */
            resources?: {
                /** @description Iron to carry. */
                iron?: number;
                /** @description Silver to carry. */
                silver?: number;
                /** @description Ember to carry. */
                ember?: number;
                /** @description H2 to carry. */
                h2?: number;
            };
            drive?: components["schemas"]["DriveName"];
        };
        NamedPlayers: {
            /** @description Their names, each once. */
            names: string[];
            /** @description If given, the API key of a new bot is gxd_ and HMAC-SHA256(keySecret, name) as base64url, instead of a random one. Without --auth key it has no effect. */
            keySecret?: string;
        };
        NumberedPlayers: {
            /** @description Number of bots. */
            count: number;
            /**
             * Format: player-name-prefix
             * @description The bots are named prefix-1, prefix-2 and so on.
             */
            namePrefix: string;
            /** @description If given, the API key of a new bot is gxd_ and HMAC-SHA256(keySecret, name) as base64url, instead of a random one. Without --auth key it has no effect. */
            keySecret?: string;
        };
        PutPlanRequest: {
            /** @description In the order of each lane; the rules limit how many a plan has. None removes the plan. */
            steps: components["schemas"]["PlanStep"][];
            /**
             * @description What becomes of a step that is blocked: it is kept and its lane waits, the default, or it is dropped.
             * @enum {string}
             */
            onBlocked?: "wait" | "skip";
            /** @description Player id. If given, the planet must belong to this player. */
            playerId?: string;
        };
        RecallRequest: {
            /** @description Player id. */
            playerId: string;
        };
        RetireInactiveRequest: {
            /** @description How long they have done nothing, in world time. */
            inactiveForSeconds: number;
            /** @description How many are retired. */
            atMost?: number;
            /** @description If true, they are only listed. */
            dryRun?: boolean;
        };
        RotateKeyRequest: {
            /** @description How long the new key is valid, in world time; for ever by default. */
            expiresInSeconds?: number;
            /** @description How long the present key stays valid, in world time. */
            oldKeyValidSeconds?: number;
        };
        SecondStarterRequest: {
            /** @description Player id. If given, it must match the one in the path. */
            playerId?: string;
        };
        SimulateRequest: {
            /** @description Player id. If given, the planet must belong to this player. */
            playerId?: string;
            mission?: components["schemas"]["Mission"];
            /** @description Planet id. */
            originPlanetId: string;
            /** @description Planet id. */
            targetPlanetId: string;
            /** @description Ships to send; entries of the same type are added up. */
            ships: {
                type: components["schemas"]["ShipType"];
                /** @description Number of ships. */
                count: number;
            }[];
            /** @description Units to carry, each rounded down to whole ones; an omitted resource is 0. */
            resources?: {
                /** @description Iron to carry. */
                iron?: number;
                /** @description Silver to carry. */
                silver?: number;
                /** @description Ember to carry. */
                ember?: number;
                /** @description H2 to carry. */
                h2?: number;
            };
            drive?: components["schemas"]["DriveName"];
        };
        StartResearchRequest: {
            /** @description Player id. */
            playerId: string;
            researchType: components["schemas"]["ResearchType"];
        };
        HistoryPosition: {
            /** @description Seq of the last entry that has been applied. */
            seq: number;
            /**
             * Format: date-time
             * @description World time.
             */
            worldTime: string;
        };
        MoveByStep: {
            /**
             * @description To the next public event, the next battle, or a day of world time on. It stands still then.
             * @enum {string}
             */
            step: "event" | "battle" | "day";
            /**
             * @description 1: forward, the default; -1: back.
             * @enum {integer}
             */
            direction?: 1 | -1;
        };
        MoveToGame: {
            /** @description Number of the game of the tournament, whose world is shown then. */
            game: number;
            /** @description Seq of the last entry that is applied; the first by default. */
            atSeq?: number;
        };
        MoveToInstant: {
            /**
             * Format: date-time
             * @description World time; all entries up to then are applied.
             */
            to: string;
        };
        MoveToSeq: {
            /** @description Seq of the last entry that is applied. */
            seq: number;
        };
        Play: {
            /** @description Whether it moves on by itself. */
            isPlaying: boolean;
            /** @description World seconds per second; the last speed by default. */
            speed?: number;
        };
        ReplayPosition: {
            /** @description Seq of the last entry that has been applied. */
            seq: number;
            /**
             * Format: date-time
             * @description World time that is shown.
             */
            worldTime: string;
            /** @description True if it moves on by itself. */
            isPlaying: boolean;
            /** @description World seconds per second while it plays. */
            speed: number;
            first: components["schemas"]["HistoryPosition"];
            last: components["schemas"]["HistoryPosition"];
            /** @description Number of the game. */
            game: number | null;
            /** @description True if the history begins with the world. */
            isHistoryKept: boolean;
            /** @description How much of the timeline is made. */
            indexedShare: number;
        };
        ReplayRequest: components["schemas"]["MoveToSeq"] | components["schemas"]["MoveToInstant"] | components["schemas"]["MoveByStep"] | components["schemas"]["Play"] | components["schemas"]["MoveToGame"];
        Timeline: {
            /** @description How much of the timeline is made. */
            indexedShare: number;
            /** @description Parts of equal duration. */
            buckets: {
                /**
                 * Format: date-time
                 * @description World time at which the part begins. It ends with the next one.
                 */
                from: string;
                /** @description Seq of its first entry; of the next entry if it has none. */
                firstSeq: number;
                /** @description Number of its entries. */
                entries: number;
                /** @description Number of its public events, as in topic `world` of a world without keys. */
                events: number;
                /** @description Number of its battles. */
                battles: number;
            }[];
            /** @description The largest battles, in the order of time. */
            battles: {
                /** @description Seq of the entry that caused it. */
                seq: number;
                /**
                 * Format: date-time
                 * @description World time.
                 */
                at: string;
                /** @description Where it was. */
                planetId: string;
                /** @description The attacker. */
                attackerId: string;
                /** @description The defender. */
                defenderId: string;
                /** @description Ships that both have lost. */
                lostCount: number;
            }[];
        };
        /** @description If the building fights for its planet. It is whole again after each battle. */
        DefenceRule: {
            /** @description Damage of each level in a round. */
            attackPerLevel: number;
            /** @description Hit points of each level. */
            hitPointsPerLevel: number;
            /** @description Types that it does more damage to; see war. */
            strongAgainst: (components["schemas"]["ShipType"] | components["schemas"]["BuildingType"])[];
        };
        /** @description What each level adds, for all planets and ships of the player. */
        ResearchEffect: {
            /** @constant */
            kind: "output";
            resources: components["schemas"]["ResourceName"][];
            /** @description Per cent that each level adds; they add up. */
            percentPerLevel: number;
        } | {
            /** @enum {string} */
            kind: "attack" | "hit_points" | "cargo";
            /** @description Per cent that each level adds; they add up. */
            percentPerLevel: number;
        } | {
            /** @constant */
            kind: "sight";
            /** @description Scouts see, and anti_spy hides, as if there were so many more. */
            scoutsPerLevel: number;
        };
        RuleSet: {
            /** @description Lower-case letters, digits and hyphens. */
            name: string;
            /** @description Version of the rule set of this name. */
            version: number;
            /** @description Buildings. Positions in the list are stored, so a later rule set may only append. */
            buildings: {
                /** @description Name in the API. */
                type: string;
                /** @description Name for human readers, if it is another one. */
                displayName?: string;
                /** @description Description for human readers. */
                description: string;
                /** @description Cost of level 1 in units; level L costs baseCost x costGrowth^(L-1). */
                baseCost: number[];
                /** @description Units per hour; level L produces baseOutput x L x outputGrowth^L. */
                baseOutput: number[];
                /** @description The building takes part in battles on its planet and is whole again afterwards. Needs `war`. */
                defence?: {
                    /** @description Hit points of damage per round and level. */
                    attackPerLevel: number;
                    /** @description Hit points per level. */
                    hitPointsPerLevel: number;
                    /** @description Ship types that it does more damage to. */
                    strongAgainst: string[];
                };
            }[];
            /** @description Ships; their positions are stored. */
            ships: {
                /** @description Name in the API. */
                type: string;
                /** @description Name for human readers, if it is another one. */
                displayName?: string;
                /** @description Cost of one ship in units. */
                cost: number[];
                /** @description Seconds a ship takes in a shipyard of level 1. */
                baseSeconds: number;
                /** @description Hit points of damage per round. */
                attack: number;
                /** @description Hit points of the ship. */
                defence: number;
                /** @description Tenths of a distance unit per second. */
                speedTenths: number;
                /** @description Cargo capacity in units. */
                cargo: number;
                /** @description H2 rate in tenths. */
                h2RateTenths: number;
                /** @description Hangar space it needs; 0 if it flies by itself. */
                hangarSize: number;
                /** @description Hangar space it offers. */
                hangarCapacity: number;
                /** @description Types of ships, and of buildings that take part in battles, that it does more damage to. Needs `war`. */
                strongAgainst?: string[];
            }[];
            /** @description Drives; their positions are stored. */
            drives: {
                /** @description Name in the API. */
                type: string;
                /** @description Name for human readers, if it is another one. */
                displayName?: string;
                /** @description Research that unlocks the drive. */
                research: string | null;
                /** @description Speed multipliers within a system, between systems and between galaxies; 0 if it cannot fly there. */
                multiplierTenths: number[];
                /** @description H2 factor in tenths. */
                h2FactorTenths: number;
            }[];
            /** @description Research; its positions are stored. */
            research: {
                /** @description Name in the API. */
                type: string;
                /** @description Name for human readers, if it is another one. */
                displayName?: string;
                /** @description What it unlocks, for human readers. */
                unlocks: string;
                /** @description Effect of each level, for all planets and ships of the player. */
                effect?: {
                    /** @constant */
                    kind: "output";
                    /** @description Resources whose output rises, on all planets of the player. */
                    resources: string[];
                    /** @description Percent per level; the percentages of levels add up. */
                    percentPerLevel: number;
                } | {
                    /** @description What rises: attack or hit points of ships and defences (both need `war`), or cargo capacity. */
                    kind: "attack" | "hit_points" | "cargo";
                    /** @description Percent per level; the percentages of levels add up. */
                    percentPerLevel: number;
                } | {
                    /** @constant */
                    kind: "sight";
                    /** @description Scouts, and levels of anti_spy, added per level. */
                    scoutsPerLevel: number;
                };
            }[];
            /** @description Types that have a special role in the engine. */
            roles: {
                /** @description Building that builds ships. */
                shipyard: string;
                /** @description Building that limits what scouts report. */
                antiSpy: string;
                /** @description Building that adds hit points to the defence of its planet. */
                planetaryShield: string;
                /** @description Ship that reports a planet. */
                scout: string;
                /** @description Ship that is used up when a planet is colonized. */
                colonyShip: string;
            };
            starter: {
                /** @description Initial stock of a starter planet. */
                stock: number[];
                /** @description Initial buildings, at level 1. */
                buildings: string[];
                /** @description Starter planets per player. */
                perPlayerMax: number;
            };
            colony: {
                /** @description Initial buildings, at level 1. */
                buildings: string[];
            };
            /** @description Growth of the cost per building level. */
            costGrowth: {
                /** @description Numerator. */
                numerator: number;
                /** @description Denominator. */
                denominator: number;
            };
            /** @description Growth of the output per building level. */
            outputGrowth: {
                /** @description Numerator. */
                numerator: number;
                /** @description Denominator. */
                denominator: number;
            };
            /** @description Lower levels of a building cost no energy. */
            energyCostFromLevel: number;
            /** @description Hit points per level of the planetary shield. */
            shieldHitPointsPerLevel: number;
            /** @description Percentage by which each research level above the first lowers the h2 use of its drive. */
            h2SavingPercentPerLevel: number;
            /** @description Minimum h2 use after savings, in percent. */
            h2UsePercentMin: number;
            /** @description h2 = distance x rate x factor / h2DistanceDivisor. */
            h2DistanceDivisor: number;
            /** @description Maximum rounds of a battle. */
            combatRoundsMax: number;
            /** @description The winner takes stock / lootDivisor of every resource but energy. */
            lootDivisor: number;
            /** @description Players can give plans to their planets. */
            plans?: {
                /** @description Maximum steps of a plan, all lanes together. */
                stepsMax: number;
            };
            /** @description Limit on the planets that the fleets of a player colonize. */
            colonies?: {
                /** @description Research that raises the limit. */
                research: string;
                /** @description Up to how many planets fleets colonize without the research. */
                planetsAtFirst: number;
                /** @description Levels of the research for each further planet. */
                levelsPerPlanet: number;
            };
            /** @description Only armed ships win battles, defences fight, and new players are protected. */
            war?: {
                /** @description Seconds after a player is created in which attacks on its planets turn round, unless it attacks first. */
                protectionSeconds: number;
                /** @description Damage to a type that the own type is strong against, in percent. */
                strongAgainstPercent: number;
            };
            /** @description What counts as points, in percent of the units spent. */
            points?: {
                /** @description Share of the cost of buildings that counts, by planet in the order in which the player got them; the last entry counts for all further ones. */
                planetPercents: number[];
                /** @description Share of the cost of ships that counts. */
                shipPercent: number;
                /** @description Share of the cost of destroyed ships of others that counts. Needs `war`. */
                destroyedPercent: number;
            };
        };
        Tournament: {
            /**
             * @description Version of this format.
             * @enum {integer}
             */
            format: 1;
            /** @description Version of galaxyd that ran it. */
            galaxyd: string;
            /** @description False as long as games are missing. */
            isFinished: boolean;
            settings: components["schemas"]["TournamentSettings"];
            entrants: components["schemas"]["TournamentEntrant"][];
            /** @description Games that are over, by number. */
            games: components["schemas"]["TournamentGame"][];
            /** @description The best first. */
            ratings: components["schemas"]["TournamentRating"][];
        };
        TournamentEntrant: {
            /** @description Name of the entrant in this tournament; also the name of its player. */
            label: string;
            /**
             * @description `bot`: a bot of galaxyd; `command`: a program of its own.
             * @enum {string}
             */
            kind: "bot" | "command";
            /** @description Name of the bot, or the command line. */
            source: string;
            /** @description Commands that an entrant may send per world day. */
            commandsPerDay: number;
            /** @description Turns that an entrant may have per world day. */
            wakeupsPerDay: number;
        };
        TournamentGame: {
            /** @description Number of the game, from 1. */
            number: number;
            /** @description Seed of the world. */
            seed: number;
            rules?: components["schemas"]["RulesIdentity"];
            /** @description Round, from 1. */
            round: number;
            /** @description Seed of the order in which entrants act. */
            orderSeed: number;
            /** @description False if an entrant ran out of time by the clock, so that another run may differ. */
            isRepeatable: boolean;
            /**
             * Format: date-time
             * @description World time at the end.
             */
            worldTime: string;
            /** @description Seq of the last entry of its log. */
            seq: number;
            /** @description Hash of the state at the end. */
            stateHash: string;
            /** @description SHA-256 over the entries of its log. */
            logDigest: string;
            /** @description In the order of their starts. */
            players: components["schemas"]["TournamentPlayer"][];
        };
        TournamentPlayer: {
            /** @description Name of the entrant in this tournament; also the name of its player. */
            label: string;
            /** @description Its player in the world of the game. */
            playerId: string;
            /** @description Points at the end. */
            points: number;
            /** @description Place by points. Equal points share the mean of their places. */
            rank: number;
            /** @description Commands it has sent, those that were refused included. */
            commands: number;
            /** @description Turns it has had. */
            wakeups: number;
            /** @description Refused commands by error code. */
            refusals: {
                [key: string]: number;
            };
            /** @description Turns that were ended because they took too long by the clock. */
            overruns: number;
            /** @description True if it was taken out of the game: it crashed, or overran too often. */
            isWithdrawn: boolean;
        };
        TournamentRating: {
            /** @description Name of the entrant in this tournament; also the name of its player. */
            label: string;
            /** @description Estimated strength. */
            rating: number;
            /** @description Lower end of its 95 % confidence interval. */
            low: number;
            /** @description Upper end of it. */
            high: number;
            /** @description Mean of its ranks; 1 is the best. */
            meanRank: number;
            /** @description Lower end of its 95 % confidence interval. */
            meanRankLow: number;
            /** @description Upper end of it. */
            meanRankHigh: number;
            /** @description Games it has played. */
            games: number;
            /** @description Games in which nobody was better. */
            firsts: number;
        };
        TournamentSettings: {
            rules: components["schemas"]["RulesIdentity"];
            /** @description Seed by which the rules were varied; `each` if every game has an instance of its own, drawn from settings and entrants; null if they were not varied. */
            variation: number | "each" | null;
            /** @description Length of a game in world days. */
            days: number;
            /** @description Each is played in every round. */
            seeds: number[];
            /** @description How often each seed is played, with other starts each time. */
            rounds: number;
            /** @description Commands that an entrant may send per world day. */
            commandsPerDay: number;
            /** @description Turns that an entrant may have per world day. */
            wakeupsPerDay: number;
            /** @description Time by the clock that a turn may take. */
            wallSecondsPerTurn: number;
            /** @description Speed of the worlds. */
            speed: number;
            /** @description Systems in each galaxy. */
            systemsPerGalaxy: number;
            /** @description What the API keys of the players are derived from; null as long as the tournament runs. */
            keySecret: string | null;
        };
        BeginTurnsRequest: {
            /** @description Who plays, each player once. */
            entrants: {
                /** @description Player id. */
                playerId: string;
                /** @description Defaults to that of the game. */
                commandsPerDay?: number;
                /** @description Defaults to that of the game. */
                wakeupsPerDay?: number;
            }[];
            /**
             * Format: date-time
             * @description World time at which the game is over; later than now.
             */
            until: string;
            /** @description Seed of the order of entrants who are awake at the same time. */
            orderSeed: number;
            /** @description Commands per world day. */
            commandsPerDay: number;
            /** @description Turns per world day. */
            wakeupsPerDay: number;
            /** @description Seconds of real time after which the server ends a turn. */
            wallSecondsPerTurn: number;
        };
        /** @description When the next turn begins. Without either member: at the next event of any type, or a day later. */
        EndTurnRequest: {
            /**
             * Format: date-time
             * @description World time, later than now.
             */
            wakeAt?: string | null;
            /** @description The next turn begins at the next event of one of these types; left out: only at wakeAt. */
            wakeOn?: components["schemas"]["EventTypeName"][];
        };
        /**
         * @description Type of an event.
         * @enum {string}
         */
        EventTypeName: "player_created" | "building_started" | "building_completed" | "building_cancelled" | "ships_ordered" | "ships_completed" | "ships_cancelled" | "research_started" | "research_completed" | "fleet_launched" | "fleet_arrived" | "fleet_recalled" | "fleet_returned" | "fleet_destroyed" | "incoming_fleet" | "incoming_fleet_gone" | "combat_report" | "espionage_report" | "espionage_detected" | "resources_received" | "planet_colonized" | "colonization_failed" | "attack_turned_away" | "resources_granted" | "key_rotated" | "keys_revoked" | "player_joined" | "battle" | "player_retired" | "plan_step_started" | "plan_step_skipped" | "plan_step_blocked" | "plan_completed";
        Turn: {
            /**
             * @description active: it is the caller's turn. waiting: it is not, or the game has not begun. over: the caller gets no further turn.
             * @enum {string}
             */
            state: "active" | "waiting" | "over";
            /** @description Number of the caller's turns so far, the present one included. */
            turn: number;
            /**
             * Format: date-time
             * @description World time.
             */
            worldTime: string;
            /**
             * Format: date-time
             * @description World time at which the game is over; null before it has begun.
             */
            until: string | null;
            /** @description Commands that the caller has left this world day. */
            commandsLeft: number;
            /** @description Further turns that the caller can have this world day. */
            wakeupsLeft: number;
            /**
             * Format: date-time
             * @description World time at which the next day of the game begins; null before it has begun.
             */
            dayEndsAt: string | null;
            /** @description If active: milliseconds of real time after which the server ends the turn. */
            wallMsLeft?: number;
        };
        Turns: {
            /**
             * @description idle: no game has begun since the server was started.
             * @enum {string}
             */
            state: "idle" | "running" | "over";
            /**
             * Format: date-time
             * @description World time.
             */
            worldTime: string;
            /**
             * Format: date-time
             * @description World time at which the game is over; null before the first game.
             */
            until: string | null;
            /** @description Number of turns of all entrants, the present one included. */
            turn: number;
            /** @description Player id. */
            activePlayerId: string | null;
            /** @description In the order in which they were named. */
            entrants: {
                /** @description Player id. */
                playerId: string;
                /** @description True if it has lost a turn since it was withdrawn. */
                isWithdrawn: boolean;
                /** @description Its turns. */
                wakeups: number;
                /** @description Its commands, those that were refused included. */
                commands: number;
                /** @description Its refused commands by code. */
                refusals: {
                    [key: string]: number;
                };
                /** @description Its turns that the server has ended. */
                overruns: number;
            }[];
        };
        WithdrawRequest: {
            /** @description Player id. */
            playerId: string;
        };
    };
    responses: never;
    parameters: {
        /**
         * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
         * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
         */
        "Idempotency-Key": string;
        /**
         * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
         * @example W/"3kq0ix-7"
         */
        "If-None-Match": string;
        /**
         * @description Id of the last event that the client has received. It takes precedence over since.
         * @example 7
         */
        "Last-Event-ID": string;
        /**
         * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
         * @example 1042
         */
        "x-min-seq": string;
        /**
         * @description `return=minimal` leaves the bodies out of the reply (RFC 7240).
         * @example return=minimal
         */
        Prefer: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPlayer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePlayerRequest"];
            };
        };
        responses: {
            /** @description The existing player. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
            /** @description The new player, with its starter planet. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedPlayer"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getState: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPlanets: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The planets, in the order in which the player took them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Planet"][];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPlanet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Planet id.
                 * @example planet-1-0-26
                 */
                planetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The planet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanetView"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSystem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Galaxy, 1 to 100.
                 * @example 1
                 */
                galaxy: number;
                /**
                 * @description System index within the galaxy.
                 * @example 0
                 */
                system: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The system. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemView"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGalaxy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Galaxy, 1 to 100.
                 * @example 1
                 */
                galaxy: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GalaxyOverview"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSecondStarter: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SecondStarterRequest"];
            };
        };
        responses: {
            /** @description The new planet. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Planet"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    colonizePlanet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Planet id.
                 * @example planet-1-0-3
                 */
                planetId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ColonizeRequest"];
            };
        };
        responses: {
            /** @description The planet, now with an owner. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Planet"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    launchFleet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LaunchRequest"];
            };
        };
        responses: {
            /** @description The fleet and its flight. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Launch"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFleets: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fleets, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fleet"][];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recallFleet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Fleet id.
                 * @example fleet-1
                 */
                fleetId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecallRequest"];
            };
        };
        responses: {
            /** @description The fleet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fleet"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    simulateLaunch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateRequest"];
            };
        };
        responses: {
            /** @description One result for each drive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBuildings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Planet id.
                 * @example planet-1-0-26
                 */
                planetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The buildings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Building"][];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    constructBuilding: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuildingRequest"];
            };
        };
        responses: {
            /** @description The planet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Planet"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    upgradeBuilding: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuildingRequest"];
            };
        };
        responses: {
            /** @description The planet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Planet"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelBuilding: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelBuildingRequest"];
            };
        };
        responses: {
            /** @description The planet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Planet"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getShipyard: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Planet id.
                 * @example planet-1-0-26
                 */
                planetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shipyard. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipyardStatus"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    buildShips: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuildShipsRequest"];
            };
        };
        responses: {
            /** @description The order. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipyardEntry"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelShips: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelShipsRequest"];
            };
        };
        responses: {
            /** @description The orders are cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getResearch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResearchEntry"][];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startResearch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartResearchRequest"];
            };
        };
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResearchEntry"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOptions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Planet id.
                 * @example planet-1-0-26
                 */
                planetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanetOptions"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBrief: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The situation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Planet id.
                 * @example planet-1-0-26
                 */
                planetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Planet id.
                 * @example planet-1-0-26
                 */
                planetId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutPlanRequest"];
            };
        };
        responses: {
            /** @description The plan, without what has started. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPlayerEvents: {
        parameters: {
            query?: {
                /**
                 * @description Seq of the last event that the client has; 0: from the beginning. Without it no events are returned, only lastSeq.
                 * @example 7
                 */
                since?: number;
                /**
                 * @description Seconds that the reply may wait for an event if there is none after since; 0 by default. Not in a batch or a call.
                 * @example 0
                 */
                wait?: number;
                /**
                 * @description Number of events, at most; 500 by default.
                 * @example 100
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWorldEvents: {
        parameters: {
            query?: {
                /**
                 * @description Seq of the last event that the client has; 0: from the beginning. Without it no events are returned, only lastSeq.
                 * @example 7
                 */
                since?: number;
                /**
                 * @description Seconds that the reply may wait for an event if there is none after since; 0 by default. Not in a batch or a call.
                 * @example 0
                 */
                wait?: number;
                /**
                 * @description Number of events, at most; 500 by default.
                 * @example 100
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runBatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
                /**
                 * @description `return=minimal` leaves the bodies out of the reply (RFC 7240).
                 * @example return=minimal
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description The result of each operation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCatalog: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue. It changes only if the operator switches the rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalog"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getErrors: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table of errors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorTable"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLeaderboard: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ranking. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Leaderboard"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReports: {
        parameters: {
            query?: {
                /**
                 * @description Id of a report: only newer ones are returned.
                 * @example report-7
                 */
                since?: string;
                /**
                 * @description How many of the newest are returned; all by default.
                 * @example 10
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"][];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMap: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The map. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MapOverview"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMapFleets: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fleets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MapFleets"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLeaderboardHistory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The course. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeaderboardCourses"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limits"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStart: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Start"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDocsScript: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDocsStyle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The style sheet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDashboard: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDashboardScript: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDashboardStyle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The style sheet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLanguageModelText: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: {
                /**
                 * @description Ready only in this role: `leader`.
                 * @example leader
                 */
                role?: string;
            };
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAsyncApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asyncapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text exposition format, version 0.0.4. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; version=0.0.4; charset=utf-8": string;
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The position. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayPosition"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    moveReplay: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description The position that was reached. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayPosition"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTimeline: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The timeline. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTournament: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tournament"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTurn: {
        parameters: {
            query?: {
                /**
                 * @description Seconds that the reply may wait for a turn. 0 by default. Not in a batch or a call.
                 * @example 0
                 */
                wait?: number;
            };
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The turn. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endTurn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EndTurnRequest"];
            };
        };
        responses: {
            /** @description The turn has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTurns: {
        parameters: {
            query?: {
                /**
                 * @description Seconds that the reply may wait for the end of the game. 0 by default. Not in a batch or a call.
                 * @example 0
                 */
                wait?: number;
            };
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The game. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turns"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginTurns: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginTurnsRequest"];
            };
        };
        responses: {
            /** @description The game has begun. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turns"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    withdrawEntrant: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawRequest"];
            };
        };
        responses: {
            /** @description The entrant gets no further turn. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turns"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceClockRequest"];
            };
        };
        responses: {
            /** @description The new position of the clock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockPosition"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPlayers: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkPlayersRequest"];
            };
        };
        responses: {
            /** @description The bots in order. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkPlayers"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grantResources: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Planet id.
                 * @example planet-1-0-26
                 */
                planetId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantRequest"];
            };
        };
        responses: {
            /** @description The planet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Planet"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takeSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description The snapshot. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStateHash: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of earlier replies. If one of them is still current, the reply is 304 without a body. `*` matches any.
                 * @example W/"3kq0ix-7"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The seq and the hash. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StateHash"];
                };
            };
            /** @description Nothing has changed except that time has passed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    switchRules: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleSet"];
            };
        };
        responses: {
            /** @description The new rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesIdentity"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerKey"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeKeys: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description The keys are invalid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateKeyOfPlayer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerKey"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeKeysOfPlayer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description The keys are invalid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retirePlayer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path: {
                /**
                 * @description Player id.
                 * @example player-1
                 */
                playerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description What was retired. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetiredPlayer"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retireInactivePlayers: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies this request; preferably a random UUID. If a request that changed the world is repeated with the same key, it gets the first reply again and changes nothing.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /**
                 * @description Seq that an earlier reply had as x-world-seq: the reply to this request shows at least the same. A process that has not applied the entry yet waits for it, up to 1000 ms; meanwhile no further request may be sent on its connection. Ignored if one process serves the world.
                 * @example 1042
                 */
                "x-min-seq"?: components["parameters"]["x-min-seq"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetireInactiveRequest"];
            };
        };
        responses: {
            /** @description Who was retired. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retirement"];
                };
            };
            /** @description Any refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
