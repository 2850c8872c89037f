// What a server sent and answered while the contract test played a small world of seed 1. Written by
// `npm run documents`, and never by hand: the examples of the OpenAPI document and of docs/api.md.
import type { Json, JsonObject } from './openapi-schemas.js';

export interface OperationExample {
  /** Path parameters by name. */
  readonly parameters: JsonObject;
  readonly body?: Json;
  /** Indexed by status. */
  readonly replies: JsonObject;
  /** The reply with `Prefer: return=minimal`, if it has a form of its own. */
  readonly minimal?: Json;
}

export interface RecordedExamples {
  /** Indexed by operation id. */
  readonly operations: Readonly<Record<string, OperationExample>>;
  /** Indexed by error code. */
  readonly problems: Readonly<Record<string, JsonObject>>;
}

export const RECORDED: RecordedExamples = {
  "operations": {
    "createPlayer": {
      "parameters": {},
      "body": { "name": "ada", "isBot": true },
      "replies": {
        "200": {
          "id": "player-1",
          "name": "ada",
          "isBot": true,
          "planets": [
            {
              "id": "planet-1-0-26",
              "name": "Cordedan 957 26",
              "slot": 26,
              "iron": 500,
              "silver": 250,
              "ember": 0,
              "h2": 100,
              "energy": 100,
              "system": { "galaxyIndex": 1, "index": 0 },
              "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
              "nextTimerAt": null,
              "visibility": "full",
              "buildings": [
                {
                  "id": "planet-1-0-26.zentrale",
                  "type": "zentrale",
                  "level": 1,
                  "constructionQueue": []
                },
                {
                  "id": "planet-1-0-26.iron_mine",
                  "type": "iron_mine",
                  "level": 1,
                  "constructionQueue": []
                },
                {
                  "id": "planet-1-0-26.silver_mine",
                  "type": "silver_mine",
                  "level": 1,
                  "constructionQueue": []
                },
                {
                  "id": "planet-1-0-26.fusion_plant",
                  "type": "fusion_plant",
                  "level": 1,
                  "constructionQueue": []
                }
              ],
              "planetShips": [],
              "shipyardQueue": [],
              "owner": { "id": "player-1", "name": "ada", "isBot": true }
            }
          ],
          "fleets": [],
          "research": [],
          "nextTimerAt": null,
          "lastEventSeq": 1
        },
        "201": {
          "id": "player-1",
          "name": "ada",
          "isBot": true,
          "planets": [
            {
              "id": "planet-1-0-26",
              "name": "Cordedan 957 26",
              "slot": 26,
              "iron": 500,
              "silver": 250,
              "ember": 0,
              "h2": 100,
              "energy": 100,
              "system": { "galaxyIndex": 1, "index": 0 },
              "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
              "nextTimerAt": null,
              "visibility": "full",
              "buildings": [
                {
                  "id": "planet-1-0-26.zentrale",
                  "type": "zentrale",
                  "level": 1,
                  "constructionQueue": []
                },
                {
                  "id": "planet-1-0-26.iron_mine",
                  "type": "iron_mine",
                  "level": 1,
                  "constructionQueue": []
                },
                {
                  "id": "planet-1-0-26.silver_mine",
                  "type": "silver_mine",
                  "level": 1,
                  "constructionQueue": []
                },
                {
                  "id": "planet-1-0-26.fusion_plant",
                  "type": "fusion_plant",
                  "level": 1,
                  "constructionQueue": []
                }
              ],
              "planetShips": [],
              "shipyardQueue": [],
              "owner": { "id": "player-1", "name": "ada", "isBot": true }
            }
          ],
          "fleets": [],
          "research": [],
          "nextTimerAt": null,
          "lastEventSeq": 1
        }
      },
      "minimal": {
        "playerId": "player-1",
        "planetIds": [ "planet-1-0-26" ]
      }
    },
    "getState": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": {
          "id": "player-1",
          "name": "ada",
          "isBot": true,
          "planets": [
            {
              "id": "planet-1-0-26",
              "name": "Cordedan 957 26",
              "slot": 26,
              "iron": 500,
              "silver": 250,
              "ember": 0,
              "h2": 100,
              "energy": 100,
              "system": { "galaxyIndex": 1, "index": 0 },
              "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
              "nextTimerAt": null,
              "visibility": "full",
              "buildings": [
                {
                  "id": "planet-1-0-26.zentrale",
                  "type": "zentrale",
                  "level": 1,
                  "constructionQueue": []
                },
                {
                  "id": "planet-1-0-26.iron_mine",
                  "type": "iron_mine",
                  "level": 1,
                  "constructionQueue": []
                },
                {
                  "id": "planet-1-0-26.silver_mine",
                  "type": "silver_mine",
                  "level": 1,
                  "constructionQueue": []
                },
                {
                  "id": "planet-1-0-26.fusion_plant",
                  "type": "fusion_plant",
                  "level": 1,
                  "constructionQueue": []
                }
              ],
              "planetShips": [],
              "shipyardQueue": [],
              "owner": { "id": "player-1", "name": "ada", "isBot": true }
            }
          ],
          "fleets": [],
          "research": [],
          "nextTimerAt": null,
          "lastEventSeq": 1
        }
      }
    },
    "getPlanets": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": [
          {
            "id": "planet-1-0-26",
            "name": "Cordedan 957 26",
            "slot": 26,
            "iron": 500,
            "silver": 250,
            "ember": 0,
            "h2": 100,
            "energy": 100,
            "system": { "galaxyIndex": 1, "index": 0 },
            "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
            "nextTimerAt": null,
            "visibility": "full",
            "buildings": [
              {
                "id": "planet-1-0-26.zentrale",
                "type": "zentrale",
                "level": 1,
                "constructionQueue": []
              },
              {
                "id": "planet-1-0-26.iron_mine",
                "type": "iron_mine",
                "level": 1,
                "constructionQueue": []
              },
              {
                "id": "planet-1-0-26.silver_mine",
                "type": "silver_mine",
                "level": 1,
                "constructionQueue": []
              },
              {
                "id": "planet-1-0-26.fusion_plant",
                "type": "fusion_plant",
                "level": 1,
                "constructionQueue": []
              }
            ],
            "planetShips": [],
            "shipyardQueue": [],
            "owner": { "id": "player-1", "name": "ada", "isBot": true }
          }
        ]
      }
    },
    "getPlanet": {
      "parameters": { "planetId": "planet-1-0-26" },
      "replies": {
        "200": {
          "id": "planet-1-0-26",
          "name": "Cordedan 957 26",
          "slot": 26,
          "iron": 500,
          "silver": 250,
          "ember": 0,
          "h2": 100,
          "energy": 100,
          "system": { "galaxyIndex": 1, "index": 0 },
          "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
          "nextTimerAt": null,
          "visibility": "full",
          "buildings": [
            {
              "id": "planet-1-0-26.zentrale",
              "type": "zentrale",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.iron_mine",
              "type": "iron_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.silver_mine",
              "type": "silver_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.fusion_plant",
              "type": "fusion_plant",
              "level": 1,
              "constructionQueue": []
            }
          ],
          "planetShips": [],
          "shipyardQueue": [],
          "owner": { "id": "player-1", "name": "ada", "isBot": true }
        }
      }
    },
    "getSystem": {
      "parameters": { "galaxy": 1, "system": 0 },
      "replies": {
        "200": {
          "galaxy": { "id": "galaxy-1", "index": 1 },
          "system": {
            "id": "system-1-0",
            "index": 0,
            "star": { "name": "Cordedan 957", "type": "O", "temperature": 42231 }
          },
          "planets": [
            {
              "id": "planet-1-0-3",
              "name": "Cordedan 957 3",
              "slot": 3,
              "system": { "galaxyIndex": 1, "index": 0 },
              "visibility": "public",
              "owner": null
            },
            {
              "id": "planet-1-0-7",
              "name": "Cordedan 957 7",
              "slot": 7,
              "system": { "galaxyIndex": 1, "index": 0 },
              "visibility": "public",
              "owner": null
            },
            {
              "id": "planet-1-0-8",
              "name": "Cordedan 957 8",
              "slot": 8,
              "system": { "galaxyIndex": 1, "index": 0 },
              "visibility": "public",
              "owner": null
            }
          ]
        }
      }
    },
    "getGalaxy": {
      "parameters": { "galaxy": 1 },
      "replies": {
        "200": {
          "galaxy": { "id": "galaxy-1", "index": 1 },
          "systems": [
            {
              "id": "system-1-0",
              "index": 0,
              "planets": 10,
              "free": 9,
              "freeSlots": [ 3, 7, 8 ],
              "owners": [
                {
                  "playerId": "player-1",
                  "slots": [ 26 ]
                }
              ]
            },
            {
              "id": "system-1-1",
              "index": 1,
              "planets": 14,
              "free": 14,
              "freeSlots": [ 1, 3, 7 ],
              "owners": []
            },
            {
              "id": "system-1-2",
              "index": 2,
              "planets": 25,
              "free": 25,
              "freeSlots": [ 1, 2, 3 ],
              "owners": []
            }
          ]
        }
      }
    },
    "createSecondStarter": {
      "parameters": { "playerId": "player-1" },
      "body": {},
      "replies": {
        "201": {
          "id": "planet-1-187-5",
          "name": "Norquisul 980 5",
          "slot": 5,
          "iron": 500,
          "silver": 250,
          "ember": 0,
          "h2": 100,
          "energy": 100,
          "system": { "galaxyIndex": 1, "index": 187 },
          "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
          "nextTimerAt": null,
          "visibility": "full",
          "buildings": [
            {
              "id": "planet-1-187-5.zentrale",
              "type": "zentrale",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-187-5.iron_mine",
              "type": "iron_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-187-5.silver_mine",
              "type": "silver_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-187-5.fusion_plant",
              "type": "fusion_plant",
              "level": 1,
              "constructionQueue": []
            }
          ],
          "planetShips": [],
          "shipyardQueue": [],
          "owner": { "id": "player-1", "name": "ada", "isBot": true }
        }
      },
      "minimal": {
        "planetId": "planet-1-187-5",
        "resources": { "iron": 500, "silver": 250, "ember": 0, "h2": 100, "energy": 100 }
      }
    },
    "colonizePlanet": {
      "parameters": { "planetId": "planet-1-0-3" },
      "body": { "playerId": "player-1" },
      "replies": {
        "201": {
          "id": "planet-1-0-3",
          "name": "Cordedan 957 3",
          "slot": 3,
          "iron": 0,
          "silver": 0,
          "ember": 0,
          "h2": 0,
          "energy": 0,
          "system": { "galaxyIndex": 1, "index": 0 },
          "production": { "iron": 21, "silver": 12, "ember": 0, "h2": 6, "energy": 10 },
          "nextTimerAt": null,
          "visibility": "full",
          "buildings": [
            {
              "id": "planet-1-0-3.zentrale",
              "type": "zentrale",
              "level": 1,
              "constructionQueue": []
            }
          ],
          "planetShips": [],
          "shipyardQueue": [],
          "owner": { "id": "player-1", "name": "ada", "isBot": true }
        }
      },
      "minimal": {
        "planetId": "planet-1-0-3",
        "resources": { "iron": 0, "silver": 0, "ember": 0, "h2": 0, "energy": 0 }
      }
    },
    "launchFleet": {
      "parameters": {},
      "body": {
        "playerId": "player-1",
        "originPlanetId": "planet-1-0-26",
        "targetPlanetId": "planet-1-187-5",
        "ships": [
          { "type": "transport", "count": 1 }
        ],
        "mission": "transport"
      },
      "replies": {
        "200": {
          "fleet": {
            "id": "fleet-1",
            "mission": "transport",
            "launchedAt": "2000-01-01T00:03:00.000Z",
            "arrivesAt": "2000-01-01T10:43:00.000Z",
            "returnsAt": "2000-01-01T21:23:00.000Z",
            "ships": [
              { "type": "transport", "count": 1 }
            ],
            "playerId": "player-1",
            "originPlanetId": "planet-1-0-26",
            "targetPlanetId": "planet-1-187-5",
            "state": "outbound",
            "drive": "combustion",
            "distance": 3840,
            "flightSeconds": 38400,
            "h2Cost": 116,
            "resources": { "iron": 0, "silver": 0, "ember": 0, "h2": 0 },
            "recalledAt": null
          },
          "distance": 3840,
          "drive": "combustion",
          "flightSeconds": 38400,
          "h2Cost": 116,
          "warnings": []
        }
      },
      "minimal": {
        "fleetId": "fleet-1",
        "finishAt": "2000-01-01T10:43:00.000Z",
        "resources": { "iron": 999904, "silver": 999952, "ember": 1000000, "h2": 999984, "energy": 1000092 }
      }
    },
    "getFleets": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": [
          {
            "id": "fleet-1",
            "mission": "transport",
            "launchedAt": "2000-01-01T00:03:00.000Z",
            "arrivesAt": "2000-01-01T10:43:00.000Z",
            "returnsAt": "2000-01-01T21:23:00.000Z",
            "ships": [
              { "type": "transport", "count": 1 }
            ],
            "playerId": "player-1",
            "originPlanetId": "planet-1-0-26",
            "targetPlanetId": "planet-1-187-5",
            "state": "outbound",
            "drive": "combustion",
            "distance": 3840,
            "flightSeconds": 38400,
            "h2Cost": 116,
            "resources": { "iron": 0, "silver": 0, "ember": 0, "h2": 0 },
            "recalledAt": null
          }
        ]
      }
    },
    "getSeenFleets": {
      "parameters": { "planetId": "planet-1-0-26" },
      "replies": {
        "200": {
          "planetId": "planet-1-0-26",
          "reach": 150,
          "fleets": [
            {
              "id": "fleet-1",
              "playerId": "player-2",
              "originPlanetId": "planet-1-187-5",
              "targetPlanetId": "planet-1-0-3",
              "state": "outbound",
              "arrivesAt": "2000-01-01T05:31:20.000Z",
              "returnsAt": "2000-01-01T10:51:20.000Z",
              "recalledAt": null
            }
          ],
          "nextCursor": null
        }
      }
    },
    "recallFleet": {
      "parameters": { "fleetId": "fleet-1" },
      "body": { "playerId": "player-1" },
      "replies": {
        "200": {
          "id": "fleet-1",
          "mission": "transport",
          "launchedAt": "2000-01-01T00:03:00.000Z",
          "arrivesAt": "2000-01-01T10:43:00.000Z",
          "returnsAt": "2000-01-01T00:03:02.000Z",
          "ships": [
            { "type": "transport", "count": 1 }
          ],
          "playerId": "player-1",
          "originPlanetId": "planet-1-0-26",
          "targetPlanetId": "planet-1-187-5",
          "state": "returning",
          "drive": "combustion",
          "distance": 3840,
          "flightSeconds": 38400,
          "h2Cost": 116,
          "resources": { "iron": 0, "silver": 0, "ember": 0, "h2": 0 },
          "recalledAt": "2000-01-01T00:03:01.000Z"
        }
      },
      "minimal": { "finishAt": "2000-01-01T00:03:02.000Z" }
    },
    "dismissFleet": {
      "parameters": { "fleetId": "fleet-1" },
      "body": { "playerId": "player-1" },
      "replies": {
        "200": { "finishAt": "2000-01-01T10:41:20.000Z" }
      },
      "minimal": { "finishAt": "2000-01-01T10:41:20.000Z" }
    },
    "simulateLaunch": {
      "parameters": {},
      "body": {
        "originPlanetId": "planet-1-0-26",
        "targetPlanetId": "planet-1-187-5",
        "ships": [
          { "type": "transport", "count": 1 }
        ]
      },
      "replies": {
        "200": {
          "results": [
            {
              "drive": "combustion",
              "flightSeconds": 38400,
              "h2Cost": 116,
              "distance": 3840,
              "flightType": "interSystem",
              "possible": true,
              "warnings": []
            },
            {
              "drive": "ion",
              "flightSeconds": 4800,
              "h2Cost": 346,
              "distance": 3840,
              "flightType": "interSystem",
              "possible": false,
              "reason": {
                "code": "no_drive_available",
                "detail": "The drive ion needs the research drive_ion. POST /api/fleet/simulate says for each drive what it needs."
              },
              "warnings": []
            },
            {
              "drive": "hyper",
              "flightSeconds": 1280,
              "h2Cost": 231,
              "distance": 3840,
              "flightType": "interSystem",
              "possible": false,
              "reason": {
                "code": "no_drive_available",
                "detail": "The drive hyper needs the research drive_hyper. POST /api/fleet/simulate says for each drive what it needs."
              },
              "warnings": []
            },
            {
              "drive": "nexus",
              "flightSeconds": 1280,
              "h2Cost": 173,
              "distance": 3840,
              "flightType": "interSystem",
              "possible": false,
              "reason": {
                "code": "no_drive_available",
                "detail": "The drive nexus needs the research drive_nexus. POST /api/fleet/simulate says for each drive what it needs."
              },
              "warnings": []
            },
            {
              "drive": "interdim",
              "flightSeconds": 0,
              "h2Cost": 0,
              "distance": 3840,
              "flightType": "interSystem",
              "possible": false,
              "reason": {
                "code": "no_drive_available",
                "detail": "The drive interdim cannot fly this flight type. POST /api/fleet/simulate says for each drive what it needs."
              },
              "warnings": []
            }
          ],
          "distance": 3840,
          "flightType": "interSystem"
        }
      }
    },
    "makeOffer": {
      "parameters": {},
      "body": {
        "playerId": "player-1",
        "planetId": "planet-1-0-26",
        "give": { "resource": "iron", "units": 600 },
        "want": { "resource": "silver", "units": 400 },
        "h2Max": 5000
      },
      "replies": {
        "200": {
          "id": "offer-1",
          "playerId": "player-1",
          "planetId": "planet-1-0-26",
          "give": { "resource": "iron", "units": 600 },
          "want": { "resource": "silver", "units": 400 },
          "price": 0.666667,
          "h2Max": 5000,
          "toPlayerId": null,
          "madeAt": "2000-01-01T00:00:00.000Z",
          "until": "2000-01-01T02:00:00.000Z"
        }
      },
      "minimal": {
        "offerId": "offer-1",
        "finishAt": "2000-01-01T02:00:00.000Z",
        "resources": { "iron": 999900, "silver": 1000250, "ember": 1000000, "h2": 995100, "energy": 1000100 }
      }
    },
    "takeOffer": {
      "parameters": { "offerId": "offer-1" },
      "body": { "playerId": "player-1", "planetId": "planet-1-0-26" },
      "replies": {
        "200": {
          "goods": {
            "offerId": "offer-1",
            "partnerId": "player-2",
            "originPlanetId": "planet-1-187-5",
            "planetId": "planet-1-0-26",
            "goods": { "resource": "iron", "units": 600 },
            "sentAt": "2000-01-01T00:00:00.000Z",
            "arrivesAt": "2000-01-01T10:40:00.000Z"
          },
          "h2Cost": 116
        }
      },
      "minimal": {
        "finishAt": "2000-01-01T10:40:00.000Z",
        "resources": { "iron": 1000500, "silver": 999850, "ember": 1000000, "h2": 999984, "energy": 1000100 }
      }
    },
    "withdrawOffer": {
      "parameters": { "offerId": "offer-1" },
      "body": { "playerId": "player-1" },
      "replies": {
        "200": {
          "offerId": "offer-1",
          "returned": { "iron": 570, "silver": 0, "ember": 0, "h2": 4750 }
        }
      },
      "minimal": {
        "resources": { "iron": 1000470, "silver": 1000250, "ember": 1000000, "h2": 999850, "energy": 1000100 }
      }
    },
    "getPlayerMarket": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": {
          "offers": [
            {
              "id": "offer-5",
              "playerId": "player-1",
              "planetId": "planet-1-0-26",
              "give": { "resource": "iron", "units": 600 },
              "want": { "resource": "silver", "units": 400 },
              "price": 0.666667,
              "h2Max": 5000,
              "toPlayerId": null,
              "madeAt": "2000-01-01T00:00:00.000Z",
              "until": "2000-01-01T02:00:00.000Z"
            }
          ],
          "offersToPlayer": [
            {
              "id": "offer-4",
              "playerId": "player-2",
              "planetId": "planet-1-187-5",
              "give": { "resource": "iron", "units": 600 },
              "want": { "resource": "silver", "units": 400 },
              "price": 0.666667,
              "h2Max": 5000,
              "toPlayerId": "player-1",
              "madeAt": "2000-01-01T00:00:00.000Z",
              "until": "2000-01-01T02:00:00.000Z"
            }
          ],
          "nextCursor": null,
          "goods": [
            {
              "offerId": "offer-1",
              "partnerId": "player-2",
              "originPlanetId": "planet-1-187-5",
              "planetId": "planet-1-0-26",
              "goods": { "resource": "iron", "units": 600 },
              "sentAt": "2000-01-01T00:00:00.000Z",
              "arrivesAt": "2000-01-01T10:40:00.000Z"
            }
          ]
        }
      }
    },
    "getMarket": {
      "parameters": { "galaxy": 1 },
      "replies": {
        "200": {
          "offers": [
            {
              "id": "offer-4",
              "playerId": "player-1",
              "planetId": "planet-1-0-26",
              "give": { "resource": "iron", "units": 600 },
              "want": { "resource": "silver", "units": 400 },
              "price": 0.666667,
              "h2Max": 5000,
              "toPlayerId": null,
              "madeAt": "2000-01-01T00:00:00.000Z",
              "until": "2000-01-01T02:00:00.000Z"
            }
          ],
          "nextCursor": null,
          "trades": [
            {
              "give": "iron",
              "want": "silver",
              "last": [
                { "at": "2000-01-01T00:00:00.000Z", "giveUnits": 600, "wantUnits": 400 }
              ]
            }
          ]
        }
      }
    },
    "getBuildings": {
      "parameters": { "planetId": "planet-1-0-26" },
      "replies": {
        "200": [
          {
            "id": "planet-1-0-26.zentrale",
            "type": "zentrale",
            "level": 1,
            "constructionQueue": []
          },
          {
            "id": "planet-1-0-26.iron_mine",
            "type": "iron_mine",
            "level": 1,
            "constructionQueue": []
          },
          {
            "id": "planet-1-0-26.silver_mine",
            "type": "silver_mine",
            "level": 1,
            "constructionQueue": []
          },
          {
            "id": "planet-1-0-26.fusion_plant",
            "type": "fusion_plant",
            "level": 1,
            "constructionQueue": []
          }
        ]
      }
    },
    "constructBuilding": {
      "parameters": {},
      "body": { "planetId": "planet-1-0-26", "buildingType": "shipyard" },
      "replies": {
        "200": {
          "id": "planet-1-0-26",
          "name": "Cordedan 957 26",
          "slot": 26,
          "iron": 1000300,
          "silver": 1000150,
          "ember": 1000000,
          "h2": 1000100,
          "energy": 1000100,
          "system": { "galaxyIndex": 1, "index": 0 },
          "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
          "nextTimerAt": "2000-01-01T00:01:00.000Z",
          "visibility": "full",
          "buildings": [
            {
              "id": "planet-1-0-26.zentrale",
              "type": "zentrale",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.iron_mine",
              "type": "iron_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.silver_mine",
              "type": "silver_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.fusion_plant",
              "type": "fusion_plant",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.shipyard",
              "type": "shipyard",
              "level": 0,
              "constructionQueue": [
                {
                  "queueId": "queue-1",
                  "targetLevel": 1,
                  "startedAt": "2000-01-01T00:00:00.000Z",
                  "upgradeFinishAt": "2000-01-01T00:01:00.000Z"
                }
              ]
            }
          ],
          "planetShips": [],
          "shipyardQueue": [],
          "owner": { "id": "player-1", "name": "ada", "isBot": true }
        }
      },
      "minimal": {
        "queueId": "queue-1",
        "finishAt": "2000-01-01T00:01:00.000Z",
        "resources": { "iron": 1000300, "silver": 1000150, "ember": 1000000, "h2": 1000100, "energy": 1000100 }
      }
    },
    "upgradeBuilding": {
      "parameters": {},
      "body": { "planetId": "planet-1-0-26", "buildingType": "iron_mine" },
      "replies": {
        "200": {
          "id": "planet-1-0-26",
          "name": "Cordedan 957 26",
          "slot": 26,
          "iron": 1000425,
          "silver": 1000232,
          "ember": 1000000,
          "h2": 1000100,
          "energy": 1000100,
          "system": { "galaxyIndex": 1, "index": 0 },
          "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
          "nextTimerAt": "2000-01-01T00:04:00.000Z",
          "visibility": "full",
          "buildings": [
            {
              "id": "planet-1-0-26.zentrale",
              "type": "zentrale",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.iron_mine",
              "type": "iron_mine",
              "level": 1,
              "constructionQueue": [
                {
                  "queueId": "queue-1",
                  "targetLevel": 2,
                  "startedAt": "2000-01-01T00:00:00.000Z",
                  "upgradeFinishAt": "2000-01-01T00:04:00.000Z"
                }
              ]
            },
            {
              "id": "planet-1-0-26.silver_mine",
              "type": "silver_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.fusion_plant",
              "type": "fusion_plant",
              "level": 1,
              "constructionQueue": []
            }
          ],
          "planetShips": [],
          "shipyardQueue": [],
          "owner": { "id": "player-1", "name": "ada", "isBot": true }
        }
      },
      "minimal": {
        "queueId": "queue-1",
        "finishAt": "2000-01-01T00:04:00.000Z",
        "resources": { "iron": 1000425, "silver": 1000232, "ember": 1000000, "h2": 1000100, "energy": 1000100 }
      }
    },
    "cancelBuilding": {
      "parameters": {},
      "body": { "planetId": "planet-1-0-26", "queueId": "queue-1" },
      "replies": {
        "200": {
          "id": "planet-1-0-26",
          "name": "Cordedan 957 26",
          "slot": 26,
          "iron": 1000500,
          "silver": 1000250,
          "ember": 1000000,
          "h2": 1000100,
          "energy": 1000100,
          "system": { "galaxyIndex": 1, "index": 0 },
          "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
          "nextTimerAt": null,
          "visibility": "full",
          "buildings": [
            {
              "id": "planet-1-0-26.zentrale",
              "type": "zentrale",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.iron_mine",
              "type": "iron_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.silver_mine",
              "type": "silver_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.fusion_plant",
              "type": "fusion_plant",
              "level": 1,
              "constructionQueue": []
            }
          ],
          "planetShips": [],
          "shipyardQueue": [],
          "owner": { "id": "player-1", "name": "ada", "isBot": true }
        }
      },
      "minimal": {
        "resources": { "iron": 1000500, "silver": 1000250, "ember": 1000000, "h2": 1000100, "energy": 1000100 }
      }
    },
    "getShipyard": {
      "parameters": { "planetId": "planet-1-0-26" },
      "replies": {
        "200": {
          "queue": [
            { "shipType": "scout", "count": 2, "isBuilding": true, "buildFinishAt": "2000-01-01T00:03:40.000Z" }
          ],
          "stock": [
            { "shipType": "transport", "count": 1 }
          ]
        }
      }
    },
    "buildShips": {
      "parameters": {},
      "body": { "planetId": "planet-1-0-26", "shipType": "scout", "count": 2 },
      "replies": {
        "201": { "shipType": "scout", "count": 2, "isBuilding": true, "buildFinishAt": "2000-01-01T00:01:40.000Z" }
      },
      "minimal": { "finishAt": "2000-01-01T00:01:40.000Z" }
    },
    "cancelShips": {
      "parameters": {},
      "body": { "planetId": "planet-1-0-26", "shipType": "scout" },
      "replies": {
        "200": { "success": true }
      }
    },
    "getResearch": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": [
          {
            "id": "player-1.drive_ion",
            "type": "drive_ion",
            "level": 0,
            "isResearching": true,
            "researchFinishAt": "2000-01-01T00:02:00.000Z"
          }
        ]
      }
    },
    "startResearch": {
      "parameters": {},
      "body": { "playerId": "player-1", "researchType": "drive_ion" },
      "replies": {
        "200": {
          "id": "player-1.drive_ion",
          "type": "drive_ion",
          "level": 0,
          "isResearching": true,
          "researchFinishAt": "2000-01-01T00:02:00.000Z"
        }
      },
      "minimal": { "finishAt": "2000-01-01T00:02:00.000Z" }
    },
    "getOptions": {
      "parameters": { "planetId": "planet-1-0-26" },
      "replies": {
        "200": {
          "planetId": "planet-1-0-26",
          "nextTimerAt": null,
          "options": [
            {
              "action": "second_starter",
              "cost": { "iron": 0, "silver": 0, "ember": 0, "h2": 0, "energy": 0 },
              "seconds": 0,
              "affordableAt": "2000-01-01T00:00:00.000Z",
              "gain": {
                "points": 402,
                "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 }
              },
              "request": {
                "method": "POST",
                "path": "/api/game/planet/starter/player-1",
                "body": { "playerId": "player-1" }
              }
            },
            {
              "action": "upgrade",
              "buildingType": "zentrale",
              "level": 2,
              "cost": { "iron": 125, "silver": 62, "ember": 0, "h2": 0, "energy": 0 },
              "seconds": 240,
              "affordableAt": "2000-01-01T00:00:00.000Z",
              "gain": {
                "points": 187,
                "production": { "iron": 25, "silver": 15, "ember": 0, "h2": 7, "energy": 13 }
              },
              "request": {
                "method": "POST",
                "path": "/api/building/upgrade",
                "body": { "planetId": "planet-1-0-26", "buildingType": "zentrale" }
              }
            },
            {
              "action": "upgrade",
              "buildingType": "iron_mine",
              "level": 2,
              "cost": { "iron": 75, "silver": 18, "ember": 0, "h2": 0, "energy": 0 },
              "seconds": 240,
              "affordableAt": "2000-01-01T00:00:00.000Z",
              "gain": {
                "points": 93,
                "production": { "iron": 75, "silver": 0, "ember": 0, "h2": 0, "energy": 0 }
              },
              "request": {
                "method": "POST",
                "path": "/api/building/upgrade",
                "body": { "planetId": "planet-1-0-26", "buildingType": "iron_mine" }
              }
            }
          ]
        }
      }
    },
    "getKnownPlanets": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": {
          "planets": []
        }
      }
    },
    "getFields": {
      "parameters": { "planetId": "planet-1-0-26" },
      "replies": {
        "200": {
          "planetId": "planet-1-0-26",
          "fields": []
        }
      }
    },
    "getBrief": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": "# \"ada\" (player-1) at 2000-01-01T00:00:00.000Z\n\n402 points, rank 1 of 1. 1 planets. Others can attack you. Next change by itself: none.\nFree, so take it now: another starter planet (+85 iron 55 silver 6 h2 53 energy an hour), `POST /api/game/planet/starter/player-1`.\nNear planet-1-0-26: nobody else lives within 300 systems.\nPoints: the units that your buildings and ships cost. A won attack takes at most 1/2 of each stock but energy.\n\n## Research\nDone: none. Nothing in progress. Can start, at no cost: drive_ion 1, drive_hyper 1, drive_nexus 1, drive_interdim 1\n\n## Planets\n- **planet-1-0-26**: iron 500 (85), silver 250 (55), ember 0 (0), h2 100 (6), energy 100 (53)\n  Buildings: zentrale 1, iron_mine 1, silver_mine 1, fusion_plant 1\n  Can start: silver_mine 2 (60 iron 30 silver), iron_mine 2 (75 iron 18 silver), fusion_plant 2 (93 iron 37 silver)\n\nTo act: `GET /api/game/options/PLANET` lists everything that can be started, each with its request; `POST /api/batch` sends many. Stocks grow by the amount in brackets per hour. Instants are world time, UTC.\n"
      }
    },
    "getPlan": {
      "parameters": { "planetId": "planet-1-0-26" },
      "replies": {
        "200": {
          "planetId": "planet-1-0-26",
          "onBlocked": "wait",
          "steps": [
            { "action": "upgrade", "buildingType": "iron_mine" },
            { "action": "build_ships", "shipType": "scout", "count": 2 },
            { "action": "research", "researchType": "drive_hyper" }
          ],
          "lanes": [
            { "lane": "buildings", "stepsLeft": 1, "state": "busy", "startsAt": "2000-01-01T00:01:00.000Z" },
            {
              "lane": "ships",
              "stepsLeft": 1,
              "state": "waiting",
              "startsAt": "2000-01-01T00:01:00.000Z",
              "reason": { "code": "shipyard_required", "detail": "The planet needs a shipyard of level 1." }
            },
            { "lane": "research", "stepsLeft": 1, "state": "busy", "startsAt": "2000-01-01T00:02:00.000Z" },
            { "lane": "fleets", "stepsLeft": 0, "state": "empty", "startsAt": null }
          ],
          "version": "lJmPPbCzjVdE"
        }
      }
    },
    "putPlan": {
      "parameters": { "planetId": "planet-1-0-26" },
      "body": {
        "steps": [
          { "action": "construct", "buildingType": "shipyard" },
          { "action": "upgrade", "buildingType": "iron_mine" },
          { "action": "build_ships", "shipType": "scout", "count": 2 },
          { "action": "research", "researchType": "drive_ion" },
          { "action": "research", "researchType": "drive_hyper" }
        ]
      },
      "replies": {
        "200": {
          "planetId": "planet-1-0-26",
          "onBlocked": "wait",
          "steps": [
            { "action": "upgrade", "buildingType": "iron_mine" },
            { "action": "build_ships", "shipType": "scout", "count": 2 },
            { "action": "research", "researchType": "drive_hyper" }
          ],
          "lanes": [
            { "lane": "buildings", "stepsLeft": 1, "state": "busy", "startsAt": "2000-01-01T00:01:00.000Z" },
            {
              "lane": "ships",
              "stepsLeft": 1,
              "state": "waiting",
              "startsAt": "2000-01-01T00:01:00.000Z",
              "reason": { "code": "shipyard_required", "detail": "The planet needs a shipyard of level 1." }
            },
            { "lane": "research", "stepsLeft": 1, "state": "busy", "startsAt": "2000-01-01T00:02:00.000Z" },
            { "lane": "fleets", "stepsLeft": 0, "state": "empty", "startsAt": null }
          ],
          "version": "lJmPPbCzjVdE"
        }
      },
      "minimal": {
        "resources": { "iron": 1000300, "silver": 1000150, "ember": 1000000, "h2": 1000100, "energy": 1000100 }
      }
    },
    "sendMessage": {
      "parameters": {},
      "body": { "playerId": "player-1", "to": "player-2", "text": "Shall we leave each other alone for three days?" },
      "replies": {
        "200": {
          "id": "message-1",
          "at": "2000-01-01T00:00:00.000Z",
          "senderId": "player-1",
          "senderName": "ada",
          "receiverId": "player-2",
          "receiverName": "bob",
          "text": "Shall we leave each other alone for three days?"
        }
      },
      "minimal": { "messageId": "message-1" }
    },
    "blockPlayer": {
      "parameters": {},
      "body": { "playerId": "player-1", "blockedPlayerId": "player-2", "blocked": true },
      "replies": {
        "200": {
          "blockedPlayerIds": [ "player-2" ]
        }
      }
    },
    "getMessages": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": {
          "messages": [
            {
              "id": "message-1",
              "at": "2000-01-01T00:00:00.000Z",
              "senderId": "player-1",
              "senderName": "ada",
              "receiverId": "player-2",
              "receiverName": "bob",
              "text": "Who has ember to spare?"
            },
            {
              "id": "message-2",
              "at": "2000-01-01T00:00:00.000Z",
              "senderId": "player-1",
              "senderName": "ada",
              "receiverId": null,
              "receiverName": null,
              "text": "Who has ember to spare?"
            }
          ],
          "left": { "messages": 4, "broadcasts": 1, "until": "2000-01-01T01:00:00.000Z" },
          "blockedPlayerIds": []
        }
      }
    },
    "proposePact": {
      "parameters": {},
      "body": { "playerId": "player-1", "partnerId": "player-2", "kind": "shared_sight", "durationSeconds": 86400 },
      "replies": {
        "200": {
          "id": "pact-1",
          "kind": "shared_sight",
          "state": "proposed",
          "proposerId": "player-1",
          "partnerId": "player-2",
          "durationSeconds": 86400,
          "since": "2000-01-01T00:00:00.000Z",
          "endsAt": "2000-01-01T02:00:00.000Z",
          "cancelledBy": null
        }
      }
    },
    "acceptPact": {
      "parameters": { "pactId": "pact-1" },
      "body": { "playerId": "player-1" },
      "replies": {
        "200": {
          "id": "pact-1",
          "kind": "non_aggression",
          "state": "in_force",
          "proposerId": "player-2",
          "partnerId": "player-1",
          "durationSeconds": 86400,
          "since": "2000-01-01T00:00:00.000Z",
          "endsAt": "2000-01-02T00:00:00.000Z",
          "cancelledBy": null
        }
      }
    },
    "declinePact": {
      "parameters": { "pactId": "pact-1" },
      "body": { "playerId": "player-1" },
      "replies": {
        "200": {
          "id": "pact-1",
          "kind": "non_aggression",
          "state": "ended",
          "proposerId": "player-2",
          "partnerId": "player-1",
          "durationSeconds": 86400,
          "since": "2000-01-01T00:00:00.000Z",
          "endsAt": "2000-01-01T02:00:00.000Z",
          "cancelledBy": null
        }
      }
    },
    "cancelPact": {
      "parameters": { "pactId": "pact-1" },
      "body": { "playerId": "player-1" },
      "replies": {
        "200": {
          "id": "pact-1",
          "kind": "non_aggression",
          "state": "in_force",
          "proposerId": "player-2",
          "partnerId": "player-1",
          "durationSeconds": 86400,
          "since": "2000-01-01T00:00:00.000Z",
          "endsAt": "2000-01-01T01:00:00.000Z",
          "cancelledBy": "player-1"
        }
      }
    },
    "getPacts": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": [
          {
            "id": "pact-1",
            "kind": "non_aggression",
            "state": "proposed",
            "proposerId": "player-2",
            "partnerId": "player-1",
            "durationSeconds": 86400,
            "since": "2000-01-01T00:00:00.000Z",
            "endsAt": "2000-01-01T02:00:00.000Z",
            "cancelledBy": null
          }
        ]
      }
    },
    "getPlayerEvents": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": {
          "events": [
            {
              "seq": 1,
              "type": "player_created",
              "at": "2000-01-01T00:00:00.000Z",
              "playerId": "player-1",
              "data": { "name": "ada", "isBot": true, "planetId": "planet-1-0-26" }
            }
          ],
          "lastSeq": 1,
          "oldestSeq": 1
        }
      }
    },
    "streamPlayerEvents": {
      "parameters": { "playerId": "player-1" },
      "replies": {}
    },
    "getWorldEvents": {
      "parameters": {},
      "replies": {
        "200": {
          "events": [
            {
              "seq": 1,
              "type": "player_joined",
              "at": "2000-01-01T00:00:00.000Z",
              "playerId": "player-1",
              "data": { "name": "ada", "isBot": true, "planetId": "planet-1-0-26" }
            }
          ],
          "lastSeq": 1,
          "oldestSeq": 1
        }
      }
    },
    "streamWorldEvents": {
      "parameters": {},
      "replies": {}
    },
    "runBatch": {
      "parameters": {},
      "body": {
        "operations": [
          {
            "method": "POST",
            "path": "/api/building/upgrade",
            "body": { "planetId": "planet-1-0-26", "buildingType": "iron_mine" }
          },
          {
            "method": "POST",
            "path": "/api/building/upgrade",
            "body": { "planetId": "planet-1-0-26", "buildingType": "silver_mine" }
          }
        ]
      },
      "replies": {
        "200": {
          "results": [
            {
              "status": 200,
              "body": {
                "id": "planet-1-0-26",
                "name": "Cordedan 957 26",
                "slot": 26,
                "iron": 1000425,
                "silver": 1000232,
                "ember": 1000000,
                "h2": 1000100,
                "energy": 1000100,
                "system": { "galaxyIndex": 1, "index": 0 },
                "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
                "nextTimerAt": "2000-01-01T00:04:00.000Z",
                "visibility": "full",
                "buildings": [
                  {
                    "id": "planet-1-0-26.zentrale",
                    "type": "zentrale",
                    "level": 1,
                    "constructionQueue": []
                  },
                  {
                    "id": "planet-1-0-26.iron_mine",
                    "type": "iron_mine",
                    "level": 1,
                    "constructionQueue": [
                      {
                        "queueId": "queue-1",
                        "targetLevel": 2,
                        "startedAt": "2000-01-01T00:00:00.000Z",
                        "upgradeFinishAt": "2000-01-01T00:04:00.000Z"
                      }
                    ]
                  },
                  {
                    "id": "planet-1-0-26.silver_mine",
                    "type": "silver_mine",
                    "level": 1,
                    "constructionQueue": []
                  },
                  {
                    "id": "planet-1-0-26.fusion_plant",
                    "type": "fusion_plant",
                    "level": 1,
                    "constructionQueue": []
                  }
                ],
                "planetShips": [],
                "shipyardQueue": [],
                "owner": { "id": "player-1", "name": "ada", "isBot": true }
              }
            },
            {
              "status": 409,
              "body": {
                "type": "/api/errors#upgrade_in_progress",
                "title": "Another building of the planet is being upgraded.",
                "status": 409,
                "detail": "Another building of the planet is being upgraded. Wait until finishAt of inProgress, or cancel its queueId with POST /api/building/cancel.",
                "code": "upgrade_in_progress",
                "requestId": "Zm9vYmE-001",
                "inProgress": {
                  "planetId": "planet-1-0-26",
                  "buildingType": "iron_mine",
                  "queueId": "queue-1",
                  "targetLevel": 2,
                  "startedAt": "2000-01-01T00:00:00.000Z",
                  "finishAt": "2000-01-01T00:04:00.000Z"
                }
              }
            }
          ]
        }
      }
    },
    "getCatalog": {
      "parameters": {},
      "replies": {
        "200": {
          "rulesVersion": 1,
          "rules": { "name": "standard-1", "version": 1, "digest": "aff36b2dace09859" },
          "speed": 1,
          "resources": [ "iron", "silver", "ember", "h2", "energy" ],
          "buildings": [
            {
              "type": "zentrale",
              "description": "Seat of the colony; gives a floor to every resource but ember.",
              "maximumLevel": 80,
              "costs": [
                [ 100, 50, 0, 0, 0 ],
                [ 125, 62, 0, 0, 0 ],
                [ 156, 78, 0, 0, 0 ]
              ],
              "outputsPerHour": [
                [ 21, 12, 0, 6, 10 ],
                [ 46, 27, 0, 13, 23 ],
                [ 75, 45, 0, 22, 37 ]
              ],
              "seconds": [ 60, 240, 540 ]
            },
            {
              "type": "iron_mine",
              "description": "Digs iron.",
              "maximumLevel": 80,
              "costs": [
                [ 60, 15, 0, 0, 0 ],
                [ 75, 18, 0, 0, 0 ],
                [ 93, 23, 0, 0, 0 ]
              ],
              "outputsPerHour": [
                [ 64, 0, 0, 0, 0 ],
                [ 139, 0, 0, 0, 0 ],
                [ 226, 0, 0, 0, 0 ]
              ],
              "seconds": [ 60, 240, 540 ]
            },
            {
              "type": "silver_mine",
              "description": "Digs silver.",
              "maximumLevel": 80,
              "costs": [
                [ 48, 24, 0, 0, 0 ],
                [ 60, 30, 0, 0, 0 ],
                [ 75, 37, 0, 0, 0 ]
              ],
              "outputsPerHour": [
                [ 0, 43, 0, 0, 0 ],
                [ 0, 93, 0, 0, 0 ],
                [ 0, 151, 0, 0, 0 ]
              ],
              "seconds": [ 60, 240, 540 ]
            }
          ],
          "ships": [
            {
              "type": "scout",
              "cost": { "iron": 80, "silver": 40, "ember": 0, "h2": 0, "energy": 0 },
              "baseSeconds": 20,
              "attack": 0,
              "defence": 1,
              "speed": 2,
              "cargo": 0,
              "h2Rate": 0.5,
              "hangarSize": 0,
              "hangarCapacity": 0
            },
            {
              "type": "fighter",
              "cost": { "iron": 200, "silver": 100, "ember": 0, "h2": 0, "energy": 5 },
              "baseSeconds": 60,
              "attack": 14,
              "defence": 10,
              "speed": 1,
              "cargo": 25,
              "h2Rate": 1,
              "hangarSize": 1,
              "hangarCapacity": 0
            },
            {
              "type": "transport",
              "cost": { "iron": 400, "silver": 200, "ember": 0, "h2": 0, "energy": 10 },
              "baseSeconds": 120,
              "attack": 0,
              "defence": 20,
              "speed": 1,
              "cargo": 750,
              "h2Rate": 1.5,
              "hangarSize": 0,
              "hangarCapacity": 20
            },
            {
              "type": "colony_ship",
              "cost": { "iron": 3000, "silver": 1500, "ember": 500, "h2": 0, "energy": 100 },
              "baseSeconds": 600,
              "attack": 0,
              "defence": 75,
              "speed": 0.5,
              "cargo": 500,
              "h2Rate": 2,
              "hangarSize": 0,
              "hangarCapacity": 0
            }
          ],
          "drives": [
            {
              "type": "combustion",
              "research": null,
              "multipliers": { "intraSystem": 1, "interSystem": 0.1, "interGalaxy": 0 },
              "h2Factor": 1
            },
            {
              "type": "ion",
              "research": "drive_ion",
              "multipliers": { "intraSystem": 2.5, "interSystem": 0.8, "interGalaxy": 0 },
              "h2Factor": 3
            },
            {
              "type": "hyper",
              "research": "drive_hyper",
              "multipliers": { "intraSystem": 3, "interSystem": 3, "interGalaxy": 0 },
              "h2Factor": 2
            },
            {
              "type": "nexus",
              "research": "drive_nexus",
              "multipliers": { "intraSystem": 3, "interSystem": 3, "interGalaxy": 0 },
              "h2Factor": 1.5
            },
            {
              "type": "interdim",
              "research": "drive_interdim",
              "multipliers": { "intraSystem": 0, "interSystem": 0, "interGalaxy": 50 },
              "h2Factor": 10
            }
          ],
          "research": [
            {
              "type": "drive_ion",
              "unlocks": "ion drive, 2.5x intra-system speed",
              "maximumLevel": 50,
              "seconds": [ 120, 480, 1080 ]
            },
            {
              "type": "drive_hyper",
              "unlocks": "hyper drive, 3x system speed",
              "maximumLevel": 50,
              "seconds": [ 120, 480, 1080 ]
            },
            {
              "type": "drive_nexus",
              "unlocks": "nexus drive, 3x system speed, lower h2 use",
              "maximumLevel": 50,
              "seconds": [ 120, 480, 1080 ]
            },
            {
              "type": "drive_interdim",
              "unlocks": "interdimensional drive, inter-galaxy travel",
              "maximumLevel": 50,
              "seconds": [ 120, 480, 1080 ]
            }
          ],
          "roles": {
            "shipyard": "shipyard",
            "antiSpy": "anti_spy",
            "planetaryShield": "planetary_shield",
            "scout": "scout",
            "colonyShip": "colony_ship"
          },
          "missions": [ "attack", "transport", "deploy", "colonize", "espionage" ],
          "flightTypes": [ "intraSystem", "interSystem", "interGalaxy" ],
          "constants": { "perSlot": 5, "betweenSystemsBase": 100, "perSystem": 20 }
        }
      }
    },
    "getErrors": {
      "parameters": {},
      "replies": {
        "200": {
          "errors": [
            {
              "code": "malformed_request",
              "status": 400,
              "type": "/api/errors#malformed_request",
              "title": "The request is not well-formed HTTP/1.1.",
              "remedy": "Send it with a library for HTTP; the connection is closed, and nothing behind this request is read."
            },
            {
              "code": "malformed_json",
              "status": 400,
              "type": "/api/errors#malformed_json",
              "title": "The body is not valid JSON in UTF-8.",
              "remedy": "Send one JSON object; GET /openapi.json describes it."
            },
            {
              "code": "invalid_request",
              "status": 400,
              "type": "/api/errors#invalid_request",
              "title": "The request does not have the shape that this path expects.",
              "remedy": "GET /openapi.json describes the shape."
            }
          ]
        }
      }
    },
    "getStatus": {
      "parameters": {},
      "replies": {
        "200": {
          "name": "galaxyd",
          "version": "0.1.0",
          "isReplay": false,
          "rulesVersion": 1,
          "rules": { "name": "standard-1", "version": 1, "digest": "aff36b2dace09859" },
          "speed": 1,
          "systemsPerGalaxy": 300,
          "clock": "manual",
          "worldTime": "2000-01-01T00:00:00.000Z",
          "pausedAt": null,
          "announcement": null,
          "startedAt": "2000-01-01T00:00:00.000Z",
          "nextTimerAt": null,
          "players": 1,
          "planets": 1,
          "fleets": 0,
          "seq": 2,
          "durableSeq": 2,
          "durability": "durable",
          "snapshot": null,
          "history": null,
          "origin": null,
          "replica": null,
          "auth": "none",
          "registration": "open",
          "development": "on",
          "rateLimits": null,
          "http": "native",
          "node": "v20.20.2",
          "uptimeSeconds": 12
        }
      }
    },
    "getReports": {
      "parameters": { "playerId": "player-1" },
      "replies": {
        "200": [
          {
            "id": "report-1",
            "at": "2000-01-01T10:45:00.000Z",
            "planetId": "planet-1-187-5",
            "attackerId": "player-1",
            "defenderId": "player-2",
            "type": "combat",
            "outcome": "attacker_won",
            "rounds": 0,
            "shieldHitPoints": 0,
            "attacker": {
              "sent": [
                { "shipType": "fighter", "count": 2 },
                { "shipType": "transport", "count": 1 }
              ],
              "lost": [],
              "left": [
                { "shipType": "fighter", "count": 2 },
                { "shipType": "transport", "count": 1 }
              ]
            },
            "defender": {
              "sent": [],
              "lost": [],
              "left": []
            },
            "loot": { "iron": 467, "silver": 277, "ember": 0, "h2": 54 },
            "cargoLost": { "iron": 0, "silver": 0, "ember": 0, "h2": 0 }
          }
        ]
      }
    },
    "getShocks": {
      "parameters": {},
      "replies": {
        "200": {
          "shocks": [
            {
              "id": "shock-2",
              "type": "output_0",
              "galaxyIndex": 1,
              "effect": "output",
              "resource": "energy",
              "percent": 50,
              "idleSeconds": null,
              "playerId": null,
              "startsAt": "2000-01-02T02:59:21.000Z",
              "endsAt": "2000-01-02T08:59:21.000Z",
              "announcedAt": "2000-01-02T00:00:00.000Z",
              "hasBegun": false
            }
          ],
          "nextAnnouncementAt": "2000-01-03T00:00:00.000Z"
        }
      }
    },
    "getLeaderboard": {
      "parameters": {},
      "replies": {
        "200": {
          "playerCount": 1,
          "asOf": "2000-01-01T00:00:00.000Z",
          "players": [
            {
              "rank": 1,
              "id": "player-1",
              "name": "ada",
              "isBot": true,
              "points": 402,
              "planets": 1,
              "home": { "galaxyIndex": 1, "index": 0, "planetId": "planet-1-0-26" }
            }
          ]
        }
      }
    },
    "findPlayers": {
      "parameters": {},
      "replies": {
        "200": {
          "asOf": "2000-01-01T00:00:00.000Z",
          "players": [
            {
              "rank": 1,
              "id": "player-1",
              "name": "ada",
              "isBot": true,
              "points": 402,
              "planets": 1,
              "home": { "galaxyIndex": 1, "index": 0, "planetId": "planet-1-0-26" }
            }
          ],
          "nextCursor": null
        }
      }
    },
    "getMap": {
      "parameters": {},
      "replies": {
        "200": {
          "feedSeq": 1,
          "worldTime": "2000-01-01T00:00:00.000Z",
          "systemsPerGalaxy": 300,
          "systemsPerCell": 1,
          "planets": 1,
          "players": 1,
          "galaxies": [
            {
              "index": 1,
              "planets": 1,
              "players": 1,
              "owners": [ 1, 0, 0 ],
              "owned": [ 1, 0, 0 ]
            }
          ]
        }
      }
    },
    "getMapFleets": {
      "parameters": {},
      "replies": {
        "200": {
          "feedSeq": 3,
          "worldTime": "2000-01-01T00:03:00.000Z",
          "total": 1,
          "stride": 1,
          "missions": [ "attack", "transport", "deploy" ],
          "legs": [
            [ 1, 1, 1, 0, 1, 0, 26, 1, 187, 5, 946684980000, 946723380000 ]
          ],
          "pactKinds": [ "non_aggression", "shared_sight" ],
          "pacts": [],
          "goods": []
        }
      }
    },
    "getLeaderboardHistory": {
      "parameters": {},
      "replies": {
        "200": {
          "from": "2000-01-01T00:00:00.000Z",
          "to": "2000-01-01T00:00:00.000Z",
          "samples": [ "2000-01-01T00:00:00.000Z" ],
          "players": [
            {
              "id": "player-1",
              "name": "ada",
              "isBot": true,
              "points": [ 402 ]
            }
          ]
        }
      }
    },
    "getLimits": {
      "parameters": {},
      "replies": {
        "200": {
          "requests": null,
          "registrations": null,
          "connections": { "maximum": 16384, "perAddress": 1024, "idleSeconds": 10 },
          "bodies": { "bytes": 65536, "batchBytes": 1048576, "batchOperations": 1000, "bytesPerToken": 4096 },
          "events": { "perReply": 500, "waitSeconds": 30, "readersPerPlayer": 32, "stallSeconds": 30 },
          "messages": { "perReply": 100 },
          "costs": [
            { "operationId": "createPlayer", "method": "POST", "path": "/api/game/player", "cost": 1 },
            { "operationId": "getState", "method": "GET", "path": "/api/game/state/:playerId", "cost": 1 },
            { "operationId": "getPlanets", "method": "GET", "path": "/api/game/planets/:playerId", "cost": 3 }
          ]
        }
      }
    },
    "getStart": {
      "parameters": {},
      "replies": {
        "200": {
          "name": "galaxyd",
          "version": "0.1.0",
          "description": "A multiplayer space-conquest world that is played by programs.",
          "links": {
            "dashboard": "/dashboard",
            "docs": "/docs",
            "openapi": "/openapi.json",
            "asyncapi": "/asyncapi.json",
            "llms": "/llms.txt",
            "status": "/api/status",
            "catalog": "/api/catalog",
            "errors": "/api/errors",
            "limits": "/api/limits",
            "leaderboard": "/api/leaderboard",
            "health": "/healthz",
            "readiness": "/readyz",
            "metrics": "/metrics"
          }
        }
      }
    },
    "getDocs": {
      "parameters": {},
      "replies": { "200": "<!doctype html>\n<html lang=\"en\">\n<head>\n" }
    },
    "getDocsScript": {
      "parameters": {},
      "replies": {}
    },
    "getDocsStyle": {
      "parameters": {},
      "replies": {}
    },
    "getDashboard": {
      "parameters": {},
      "replies": { "200": "<!doctype html>\n<html lang=\"en\">\n<head>\n" }
    },
    "getDashboardScript": {
      "parameters": {},
      "replies": {}
    },
    "getDashboardStyle": {
      "parameters": {},
      "replies": {}
    },
    "getLanguageModelText": {
      "parameters": {},
      "replies": {
        "200": "# galaxyd\n\n> A multiplayer space-conquest world that is played only by programs, over HTTP and JSON. You own planets. Planets produce\n"
      }
    },
    "getHealth": {
      "parameters": {},
      "replies": {
        "200": { "status": "ok" }
      }
    },
    "getReadiness": {
      "parameters": {},
      "replies": {
        "200": { "status": "ready" }
      }
    },
    "getOpenApi": {
      "parameters": {},
      "replies": {
        "200": { "openapi": "3.1.0" }
      }
    },
    "getAsyncApi": {
      "parameters": {},
      "replies": {
        "200": { "asyncapi": "3.0.0" }
      }
    },
    "getMetrics": {
      "parameters": {},
      "replies": { "200": "# HELP galaxyd_seq Seq of the last accepted entry.\n# TYPE galaxyd_seq gauge\ngalaxyd_seq 2\n" }
    },
    "getTraffic": {
      "parameters": {},
      "replies": {
        "200": {
          "by": "address",
          "window": "minute",
          "seconds": 83.4,
          "clients": [
            {
              "playerId": null,
              "name": null,
              "address": "203.0.113.7",
              "requests": 5211,
              "commands": 1204,
              "bytesIn": 96320,
              "bytesOut": 4816077,
              "refusals": 12,
              "rateLimited": 3,
              "connections": 2
            }
          ],
          "others": { "requests": 0, "commands": 0, "bytesIn": 0, "bytesOut": 0, "refusals": 0, "rateLimited": 0 },
          "total": { "requests": 5211, "commands": 1204, "bytesIn": 96320, "bytesOut": 4816077, "refusals": 12, "rateLimited": 3 }
        }
      }
    },
    "getMetricHistory": {
      "parameters": {},
      "replies": {
        "200": {
          "asOf": "2000-01-01T00:00:12.000Z",
          "series": [
            "galaxyd_http_requests_total{code=\"200\"}",
            "galaxyd_players"
          ],
          "points": [
            {
              "at": "2000-01-01T00:00:00.000Z",
              "values": [ 5211 ]
            },
            {
              "at": "2000-01-01T00:00:10.000Z",
              "values": [ 5299, 3 ]
            }
          ]
        }
      }
    },
    "getReplay": {
      "parameters": {},
      "replies": {
        "200": {
          "seq": 1,
          "worldTime": "2000-01-01T00:00:00.000Z",
          "isPlaying": false,
          "speed": 1,
          "first": { "seq": 1, "worldTime": "2000-01-01T00:00:00.000Z" },
          "last": { "seq": 5, "worldTime": "2000-01-01T00:01:00.000Z" },
          "game": null,
          "isHistoryKept": true,
          "indexedShare": 1
        }
      }
    },
    "moveReplay": {
      "parameters": {},
      "body": { "seq": 3 },
      "replies": {
        "200": {
          "seq": 3,
          "worldTime": "2000-01-01T00:00:00.000Z",
          "isPlaying": false,
          "speed": 1,
          "first": { "seq": 1, "worldTime": "2000-01-01T00:00:00.000Z" },
          "last": { "seq": 5, "worldTime": "2000-01-01T00:01:00.000Z" },
          "game": null,
          "isHistoryKept": true,
          "indexedShare": 1
        }
      }
    },
    "getTimeline": {
      "parameters": {},
      "replies": {
        "200": {
          "indexedShare": 1,
          "buckets": [
            { "from": "2000-01-01T00:00:00.000Z", "firstSeq": 1, "entries": 4, "events": 1, "battles": 0 },
            { "from": "2000-01-01T00:00:00.151Z", "firstSeq": 5, "entries": 0, "events": 0, "battles": 0 },
            { "from": "2000-01-01T00:00:00.302Z", "firstSeq": 5, "entries": 0, "events": 0, "battles": 0 }
          ],
          "battles": []
        }
      }
    },
    "getTournament": {
      "parameters": {},
      "replies": {
        "200": {
          "format": 1,
          "galaxyd": "0.1.0",
          "isFinished": true,
          "settings": {
            "rules": { "name": "standard-1", "version": 1, "digest": "aff36b2dace09859" },
            "variation": null,
            "days": 30,
            "seeds": [ 1 ],
            "rounds": 1,
            "commandsPerDay": 200,
            "wakeupsPerDay": 24,
            "wakeupsByOthersPerDay": 4,
            "wallSecondsPerTurn": 10,
            "speed": 1,
            "systemsPerGalaxy": 10,
            "keySecret": "the-secret-of-a-made-tournament"
          },
          "entrants": [
            {
              "label": "builder",
              "kind": "bot",
              "source": "builder",
              "programDigest": null,
              "commandsPerDay": 200,
              "wakeupsPerDay": 24
            },
            {
              "label": "idler",
              "kind": "bot",
              "source": "idler",
              "programDigest": null,
              "commandsPerDay": 200,
              "wakeupsPerDay": 24
            }
          ],
          "games": [
            {
              "number": 1,
              "seed": 1,
              "round": 1,
              "orderSeed": 171851683,
              "isRepeatable": true,
              "worldTime": "2030-03-17T18:15:40.000Z",
              "seq": 10,
              "stateHash": "0d44cb875cd03196",
              "logDigest": "4ebd4b4768c7d08fc7b21ec9fefa65c46cdb7d1d0ce100a3cb34870393adbf47",
              "courseDigest": "0101010101010101010101010101010101010101010101010101010101010101",
              "players": [
                {
                  "label": "idler",
                  "playerId": "player-1",
                  "points": 402,
                  "income": { "deliveredUnits": 898, "lootUnits": 2756, "harvestedUnits": 45928 },
                  "deals": {
                    "pactsProposed": 9,
                    "pactsAccepted": 7,
                    "pactsHonoured": 7,
                    "pactsBroken": 3,
                    "attacksAfterBreaking": 1,
                    "offersMade": 4,
                    "offersSold": 13,
                    "offersExpired": 44,
                    "offersTaken": 7,
                    "messagesSent": 55
                  },
                  "rank": 2,
                  "commands": 877,
                  "wakeups": 189,
                  "wakeupsByOthers": 9,
                  "refusals": {},
                  "overruns": 0,
                  "isWithdrawn": false,
                  "earlyEnd": null
                },
                {
                  "label": "builder",
                  "playerId": "player-2",
                  "points": 766,
                  "income": { "deliveredUnits": 151, "lootUnits": 1080, "harvestedUnits": 84764 },
                  "deals": {
                    "pactsProposed": 4,
                    "pactsAccepted": 5,
                    "pactsHonoured": 1,
                    "pactsBroken": 3,
                    "attacksAfterBreaking": 1,
                    "offersMade": 89,
                    "offersSold": 17,
                    "offersExpired": 17,
                    "offersTaken": 30,
                    "messagesSent": 43
                  },
                  "rank": 1,
                  "commands": 137,
                  "wakeups": 169,
                  "wakeupsByOthers": 8,
                  "refusals": {},
                  "overruns": 0,
                  "isWithdrawn": false,
                  "earlyEnd": null
                }
              ]
            }
          ],
          "ratings": [
            {
              "label": "idler",
              "rating": 1200,
              "low": 980,
              "high": 1464,
              "meanRank": 1,
              "meanRankLow": 1,
              "meanRankHigh": 2,
              "games": 1,
              "firsts": 1,
              "faults": 0
            },
            {
              "label": "builder",
              "rating": 800,
              "low": 580,
              "high": 1064,
              "meanRank": 2,
              "meanRankLow": 1,
              "meanRankHigh": 2,
              "games": 1,
              "firsts": 0,
              "faults": 0
            }
          ],
          "withheld": [],
          "unseparated": []
        }
      }
    },
    "getTournamentTrace": {
      "parameters": {},
      "replies": {
        "200": {
          "game": 1,
          "label": "builder",
          "lines": [],
          "lineCount": 0,
          "isCut": false,
          "output": null
        }
      }
    },
    "getTurn": {
      "parameters": {},
      "replies": {
        "200": {
          "state": "active",
          "turn": 1,
          "worldTime": "2000-01-01T00:00:00.000Z",
          "until": "2000-01-02T00:00:00.000Z",
          "commandsLeft": 100,
          "wakeupsLeft": 99,
          "wakeupsByOthersLeft": 4,
          "dayEndsAt": "2000-01-02T00:00:00.000Z",
          "wokenBy": { "reason": "wish", "type": null, "seq": null, "playerId": null },
          "wallMsLeft": 598207
        }
      }
    },
    "endTurn": {
      "parameters": {},
      "body": {
        "wakeAt": "2000-01-01T06:00:00Z",
        "wakeOn": [ "building_completed", "incoming_fleet" ]
      },
      "replies": {
        "200": {
          "state": "waiting",
          "turn": 1,
          "worldTime": "2000-01-01T00:00:00.000Z",
          "until": "2000-01-02T00:00:00.000Z",
          "commandsLeft": 100,
          "wakeupsLeft": 99,
          "wakeupsByOthersLeft": 4,
          "dayEndsAt": "2000-01-02T00:00:00.000Z",
          "wokenBy": null
        }
      }
    },
    "beginTurns": {
      "parameters": {},
      "body": {
        "until": "2000-01-02T00:00:00Z",
        "orderSeed": 7,
        "commandsPerDay": 100,
        "wakeupsPerDay": 100,
        "wallSecondsPerTurn": 600,
        "entrants": [
          { "playerId": "player-1" },
          { "playerId": "player-2", "wakeupsPerDay": 1 }
        ]
      },
      "replies": {
        "201": {
          "state": "running",
          "worldTime": "2000-01-01T00:00:00.000Z",
          "until": "2000-01-02T00:00:00.000Z",
          "turn": 0,
          "activePlayerId": null,
          "entrants": [
            {
              "playerId": "player-1",
              "isWithdrawn": false,
              "wakeups": 0,
              "wakeupsByOthers": 0,
              "commands": 0,
              "refusals": {},
              "overruns": 0
            },
            {
              "playerId": "player-2",
              "isWithdrawn": false,
              "wakeups": 0,
              "wakeupsByOthers": 0,
              "commands": 0,
              "refusals": {},
              "overruns": 0
            }
          ]
        }
      }
    },
    "getTurns": {
      "parameters": {},
      "replies": {
        "200": {
          "state": "running",
          "worldTime": "2000-01-01T00:00:00.000Z",
          "until": "2000-01-02T00:00:00.000Z",
          "turn": 1,
          "activePlayerId": "player-1",
          "entrants": [
            {
              "playerId": "player-1",
              "isWithdrawn": false,
              "wakeups": 1,
              "wakeupsByOthers": 0,
              "commands": 0,
              "refusals": {},
              "overruns": 0
            }
          ]
        }
      }
    },
    "withdrawEntrant": {
      "parameters": {},
      "body": { "playerId": "player-1" },
      "replies": {
        "200": {
          "state": "running",
          "worldTime": "2000-01-01T00:00:00.000Z",
          "until": "2000-01-02T00:00:00.000Z",
          "turn": 0,
          "activePlayerId": null,
          "entrants": [
            {
              "playerId": "player-1",
              "isWithdrawn": true,
              "wakeups": 0,
              "wakeupsByOthers": 0,
              "commands": 0,
              "refusals": {},
              "overruns": 0
            }
          ]
        }
      }
    },
    "advanceClock": {
      "parameters": {},
      "body": { "seconds": 3600 },
      "replies": {
        "200": { "worldTime": "2000-01-01T01:00:00.000Z", "advancedMs": 3600000, "nextTimerAt": null, "seq": 4 }
      }
    },
    "pauseClock": {
      "parameters": {},
      "body": {},
      "replies": {
        "200": { "worldTime": "2000-01-01T00:00:00.000Z", "pausedAt": "2000-01-01T00:00:00.000Z", "lagMs": 0 }
      }
    },
    "resumeClock": {
      "parameters": {},
      "body": {},
      "replies": {
        "200": { "worldTime": "2000-01-01T00:00:00.000Z", "pausedAt": null, "lagMs": 0 }
      }
    },
    "setSpeed": {
      "parameters": {},
      "body": { "speed": 2.5 },
      "replies": {
        "200": { "speed": 2.5, "worldTime": "2000-01-01T00:00:00.000Z" }
      }
    },
    "createPlayers": {
      "parameters": {},
      "body": { "count": 2, "namePrefix": "bot" },
      "replies": {
        "201": {
          "players": [
            { "id": "player-1", "name": "bot-1", "planetId": "planet-1-0-26", "created": true },
            { "id": "player-2", "name": "bot-2", "planetId": "planet-1-187-5", "created": true }
          ]
        }
      }
    },
    "grantResources": {
      "parameters": { "planetId": "planet-1-0-26" },
      "body": { "iron": 7 },
      "replies": {
        "200": {
          "id": "planet-1-0-26",
          "name": "Cordedan 957 26",
          "slot": 26,
          "iron": 1000507,
          "silver": 1000250,
          "ember": 1000000,
          "h2": 1000100,
          "energy": 1000100,
          "system": { "galaxyIndex": 1, "index": 0 },
          "production": { "iron": 85, "silver": 55, "ember": 0, "h2": 6, "energy": 53 },
          "nextTimerAt": null,
          "visibility": "full",
          "buildings": [
            {
              "id": "planet-1-0-26.zentrale",
              "type": "zentrale",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.iron_mine",
              "type": "iron_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.silver_mine",
              "type": "silver_mine",
              "level": 1,
              "constructionQueue": []
            },
            {
              "id": "planet-1-0-26.fusion_plant",
              "type": "fusion_plant",
              "level": 1,
              "constructionQueue": []
            }
          ],
          "planetShips": [],
          "shipyardQueue": [],
          "owner": { "id": "player-1", "name": "ada", "isBot": true }
        }
      },
      "minimal": {
        "resources": { "iron": 1000507, "silver": 1000250, "ember": 1000000, "h2": 1000100, "energy": 1000100 }
      }
    },
    "getStateHash": {
      "parameters": {},
      "replies": {
        "200": { "seq": 2, "hash": "5693a1b3c6fe7e79" }
      }
    },
    "switchRules": {
      "parameters": {},
      "body": {
        "name": "custom",
        "version": 3,
        "buildings": [
          {
            "type": "zentrale",
            "description": "Seat of the colony; gives a floor to every resource but ember.",
            "baseCost": [ 107, 50, 0, 1, 10 ],
            "baseOutput": [ 20, 12, 0, 6, 10 ]
          },
          {
            "type": "iron_mine",
            "description": "Digs iron.",
            "baseCost": [ 67, 15, 0, 1, 5 ],
            "baseOutput": [ 60, 0, 0, 0, 0 ]
          },
          {
            "type": "silver_mine",
            "description": "Digs silver.",
            "baseCost": [ 55, 24, 0, 1, 5 ],
            "baseOutput": [ 0, 40, 0, 0, 0 ]
          },
          {
            "type": "ember_extractor",
            "description": "Extracts ember.",
            "baseCost": [ 207, 100, 0, 1, 20 ],
            "baseOutput": [ 0, 0, 12, 0, 0 ]
          },
          {
            "type": "h2_extractor",
            "description": "Extracts h2, the fuel of all flights.",
            "baseCost": [ 157, 75, 0, 1, 10 ],
            "baseOutput": [ 0, 0, 0, 30, 0 ]
          },
          {
            "type": "fusion_plant",
            "description": "Produces energy.",
            "baseCost": [ 82, 30, 0, 1, 0 ],
            "baseOutput": [ 0, 0, 0, 0, 40 ]
          },
          {
            "type": "shipyard",
            "description": "Builds ships; each level builds a tenth faster.",
            "baseCost": [ 207, 100, 0, 1, 20 ],
            "baseOutput": [ 0, 0, 0, 0, 0 ]
          },
          {
            "type": "anti_spy",
            "description": "Limits what foreign scouts can report.",
            "baseCost": [ 157, 100, 0, 1, 15 ],
            "baseOutput": [ 0, 0, 0, 0, 0 ]
          },
          {
            "type": "planetary_shield",
            "description": "Adds hit points to the defence of the planet.",
            "baseCost": [ 307, 200, 40, 1, 30 ],
            "baseOutput": [ 0, 0, 0, 0, 0 ]
          },
          {
            "type": "smelter",
            "description": "Smelts iron.",
            "baseCost": [ 90, 40, 10, 0, 8 ],
            "baseOutput": [ 33, 0, 0, 0, 0 ]
          }
        ],
        "ships": [
          {
            "type": "scout",
            "cost": [ 80, 40, 0, 0, 0 ],
            "baseSeconds": 20,
            "attack": 0,
            "defence": 1,
            "speedTenths": 20,
            "cargo": 0,
            "h2RateTenths": 5,
            "hangarSize": 0,
            "hangarCapacity": 0
          },
          {
            "type": "fighter",
            "cost": [ 200, 100, 0, 0, 5 ],
            "baseSeconds": 45,
            "attack": 11,
            "defence": 10,
            "speedTenths": 10,
            "cargo": 25,
            "h2RateTenths": 10,
            "hangarSize": 1,
            "hangarCapacity": 0
          },
          {
            "type": "transport",
            "cost": [ 400, 200, 0, 0, 10 ],
            "baseSeconds": 120,
            "attack": 0,
            "defence": 20,
            "speedTenths": 10,
            "cargo": 750,
            "h2RateTenths": 15,
            "hangarSize": 0,
            "hangarCapacity": 20
          },
          {
            "type": "colony_ship",
            "cost": [ 3000, 1500, 500, 0, 100 ],
            "baseSeconds": 600,
            "attack": 0,
            "defence": 75,
            "speedTenths": 5,
            "cargo": 500,
            "h2RateTenths": 20,
            "hangarSize": 0,
            "hangarCapacity": 0
          },
          {
            "type": "destroyer",
            "cost": [ 900, 500, 60, 0, 20 ],
            "baseSeconds": 200,
            "attack": 60,
            "defence": 55,
            "speedTenths": 8,
            "cargo": 100,
            "h2RateTenths": 18,
            "hangarSize": 0,
            "hangarCapacity": 2
          }
        ],
        "drives": [
          {
            "type": "combustion",
            "research": null,
            "multiplierTenths": [ 10, 1, 0 ],
            "h2FactorTenths": 10
          },
          {
            "type": "ion",
            "research": "drive_ion",
            "multiplierTenths": [ 25, 8, 0 ],
            "h2FactorTenths": 30
          },
          {
            "type": "hyper",
            "research": "drive_hyper",
            "multiplierTenths": [ 30, 30, 0 ],
            "h2FactorTenths": 20
          },
          {
            "type": "nexus",
            "research": "drive_nexus",
            "multiplierTenths": [ 30, 30, 0 ],
            "h2FactorTenths": 15
          },
          {
            "type": "interdim",
            "research": "drive_interdim",
            "multiplierTenths": [ 0, 0, 500 ],
            "h2FactorTenths": 100
          },
          {
            "type": "warp",
            "research": "drive_warp",
            "multiplierTenths": [ 40, 40, 600 ],
            "h2FactorTenths": 120
          }
        ],
        "research": [
          { "type": "drive_ion", "unlocks": "ion drive, 2.5x intra-system speed" },
          { "type": "drive_hyper", "unlocks": "hyper drive, 3x system speed" },
          { "type": "drive_nexus", "unlocks": "nexus drive, 3x system speed, lower h2 use" },
          { "type": "drive_interdim", "unlocks": "interdimensional drive, inter-galaxy travel" },
          { "type": "drive_warp", "unlocks": "warp drive" }
        ],
        "roles": {
          "shipyard": "shipyard",
          "antiSpy": "anti_spy",
          "planetaryShield": "planetary_shield",
          "scout": "scout",
          "colonyShip": "colony_ship"
        },
        "starter": {
          "stock": [ 500, 250, 0, 100, 100 ],
          "buildings": [ "zentrale", "iron_mine", "silver_mine", "fusion_plant" ],
          "perPlayerMax": 2
        },
        "colony": {
          "buildings": [ "zentrale" ]
        },
        "costGrowth": { "numerator": 13, "denominator": 10 },
        "outputGrowth": { "numerator": 27, "denominator": 25 },
        "energyCostFromLevel": 3,
        "shieldHitPointsPerLevel": 300,
        "h2SavingPercentPerLevel": 5,
        "h2UsePercentMin": 50,
        "h2DistanceDivisor": 50,
        "combatRoundsMax": 8,
        "lootDivisor": 2
      },
      "replies": {
        "200": { "name": "custom", "version": 3, "digest": "997c6933b45fa4c7" }
      }
    },
    "listPlayers": {
      "parameters": {},
      "replies": {
        "200": {
          "asOf": "2000-01-01T00:00:00.000Z",
          "players": [
            {
              "rank": 1,
              "id": "player-1",
              "name": "ada",
              "isBot": true,
              "points": 402,
              "planets": 1,
              "home": { "galaxyIndex": 1, "index": 0, "planetId": "planet-1-0-26" },
              "fleets": 0,
              "lastActiveAt": "2000-01-01T00:00:00.000Z",
              "key": "none",
              "keyExpiresAt": null,
              "suspendedAt": null,
              "formerNames": []
            }
          ],
          "nextCursor": null
        }
      }
    },
    "takeSnapshot": {
      "parameters": {},
      "body": {},
      "replies": {
        "201": {
          "seq": 2,
          "worldTime": "2000-01-01T00:00:00.000Z",
          "stateHash": "5693a1b3c6fe7e79",
          "byteCount": 1640,
          "takenAt": "2000-01-01T00:00:00.000Z"
        }
      }
    },
    "rotateKey": {
      "parameters": { "playerId": "player-1" },
      "body": { "expiresInSeconds": 3600 },
      "replies": {
        "201": {
          "playerId": "player-1",
          "apiKey": "gxd_Yb0pX3v1Qe7mKc5tRz9wLs2hUf4jNd6aGi8oBx1yTqE",
          "expiresAt": "2000-01-01T01:00:00.000Z"
        }
      },
      "minimal": {
        "type": "/api/errors#forbidden",
        "title": "This is not allowed with this key, or in this world.",
        "status": 403,
        "detail": "Players of this world have no keys: it runs with --auth none. The operator of the world decides about both.",
        "code": "forbidden",
        "requestId": "Zm9vYmE-001"
      }
    },
    "revokeKeys": {
      "parameters": { "playerId": "player-1" },
      "body": {},
      "replies": {
        "200": { "success": true }
      }
    },
    "rotateKeyOfPlayer": {
      "parameters": { "playerId": "player-1" },
      "body": {},
      "replies": {
        "201": { "playerId": "player-1", "apiKey": "gxd_Yb0pX3v1Qe7mKc5tRz9wLs2hUf4jNd6aGi8oBx1yTqE", "expiresAt": null }
      },
      "minimal": {
        "type": "/api/errors#forbidden",
        "title": "This is not allowed with this key, or in this world.",
        "status": 403,
        "detail": "Players of this world have no keys: it runs with --auth none. The operator of the world decides about both.",
        "code": "forbidden",
        "requestId": "Zm9vYmE-001"
      }
    },
    "revokeKeysOfPlayer": {
      "parameters": { "playerId": "player-1" },
      "body": {},
      "replies": {
        "200": { "success": true }
      }
    },
    "retirePlayer": {
      "parameters": { "playerId": "player-1" },
      "body": {},
      "replies": {
        "200": {
          "id": "player-1",
          "name": "leaver",
          "isBot": true,
          "lastActiveAt": "2000-01-01T00:00:00.000Z",
          "planets": 1,
          "fleets": 0
        }
      }
    },
    "retireInactivePlayers": {
      "parameters": {},
      "body": { "inactiveForSeconds": 3600 },
      "replies": {
        "200": {
          "players": [
            {
              "id": "player-1",
              "name": "sleeper",
              "isBot": true,
              "lastActiveAt": "2000-01-01T00:00:00.000Z",
              "planets": 1,
              "fleets": 0
            }
          ],
          "remaining": 0,
          "dryRun": false
        }
      }
    },
    "suspendPlayer": {
      "parameters": { "playerId": "player-1" },
      "body": {},
      "replies": {
        "200": {
          "id": "player-1",
          "name": "ada",
          "isBot": true,
          "suspendedAt": "2000-01-01T00:00:00.000Z",
          "formerNames": []
        }
      }
    },
    "resumePlayer": {
      "parameters": { "playerId": "player-1" },
      "body": {},
      "replies": {
        "200": {
          "id": "player-1",
          "name": "ada",
          "isBot": true,
          "suspendedAt": null,
          "formerNames": []
        }
      }
    },
    "renamePlayer": {
      "parameters": { "playerId": "player-1" },
      "body": { "name": "grace" },
      "replies": {
        "200": {
          "id": "player-1",
          "name": "grace",
          "isBot": true,
          "suspendedAt": null,
          "formerNames": [ "ada" ]
        }
      }
    },
    "announce": {
      "parameters": {},
      "body": { "text": "The world is paused at 18:00 UTC for an hour.", "untilSeconds": 7200 },
      "replies": {
        "200": {
          "announcement": {
            "text": "The world is paused at 18:00 UTC for an hour.",
            "at": "2000-01-01T00:00:00.000Z",
            "until": "2000-01-01T02:00:00.000Z"
          }
        }
      }
    },
    "blockAddress": {
      "parameters": {},
      "body": { "address": "203.0.113.7", "seconds": 3600 },
      "replies": {
        "200": { "network": "203.0.113.7", "until": "2000-01-01T01:00:00.000Z" }
      }
    },
    "unblockAddress": {
      "parameters": {},
      "body": { "address": "203.0.113.7" },
      "replies": {
        "200": { "network": "203.0.113.7", "wasBlocked": true }
      }
    },
    "listBlockedAddresses": {
      "parameters": {},
      "replies": {
        "200": {
          "blocks": [
            { "network": "203.0.113.7", "until": "2000-01-01T01:00:00.000Z" }
          ]
        }
      }
    },
    "getAudit": {
      "parameters": {},
      "replies": {
        "200": {
          "records": [
            {
              "at": "2000-01-01T00:00:00.000Z",
              "requestId": "Zm9vYmE-001",
              "key": "alice",
              "address": "198.51.100.7",
              "operation": "suspendPlayer",
              "method": "POST",
              "path": "/api/admin/player/player-7/suspend",
              "body": "{}",
              "status": 200,
              "code": null,
              "seq": 120001
            }
          ],
          "nextCursor": null
        }
      }
    }
  },
  "problems": {
    "malformed_request": {
      "type": "/api/errors#malformed_request",
      "title": "The request is not well-formed HTTP/1.1.",
      "status": 400,
      "detail": "Duplicate Content-Length. Send it with a library for HTTP; the connection is closed, and nothing behind this request is read.",
      "code": "malformed_request",
      "requestId": "Zm9vYmE-001"
    },
    "request_timeout": {
      "type": "/api/errors#request_timeout",
      "title": "The request did not end in time.",
      "status": 408,
      "detail": "The request did not end in time. Send the whole request within 10 seconds.",
      "code": "request_timeout",
      "requestId": "Zm9vYmE-001"
    },
    "head_too_large": {
      "type": "/api/errors#head_too_large",
      "title": "The head of the request is too large.",
      "status": 431,
      "detail": "The head of the request is too large. Send at most 16384 bytes and 50 header fields.",
      "code": "head_too_large",
      "requestId": "Zm9vYmE-001"
    },
    "not_implemented": {
      "type": "/api/errors#not_implemented",
      "title": "The server does not know this method or transfer coding.",
      "status": 501,
      "detail": "The server does not know this method or transfer coding. GET /openapi.json has the methods of each path; the one transfer coding is chunked.",
      "code": "not_implemented",
      "requestId": "Zm9vYmE-001"
    },
    "http_version_not_supported": {
      "type": "/api/errors#http_version_not_supported",
      "title": "The server speaks HTTP/1.1 and HTTP/1.0.",
      "status": 505,
      "detail": "The server speaks HTTP/1.1 and HTTP/1.0. Send the request in one of them.",
      "code": "http_version_not_supported",
      "requestId": "Zm9vYmE-001"
    },
    "malformed_json": {
      "type": "/api/errors#malformed_json",
      "title": "The body is not valid JSON in UTF-8.",
      "status": 400,
      "detail": "The body is not valid JSON in UTF-8. Send one JSON object; GET /openapi.json describes it.",
      "code": "malformed_json",
      "requestId": "Zm9vYmE-001"
    },
    "invalid_request": {
      "type": "/api/errors#invalid_request",
      "title": "The request does not have the shape that this path expects.",
      "status": 400,
      "detail": "/name must be a string, and is a number. GET /openapi.json describes the shape.",
      "code": "invalid_request",
      "requestId": "Zm9vYmE-001",
      "errors": [
        { "path": "/name", "message": "must be a string, and is a number" }
      ]
    },
    "unauthenticated": {
      "type": "/api/errors#unauthenticated",
      "title": "A valid key is required.",
      "status": 401,
      "detail": "A valid key is required. Send the header Authorization: Bearer KEY; the reply to POST /api/game/player that creates a player has its key.",
      "code": "unauthenticated",
      "requestId": "Zm9vYmE-001"
    },
    "forbidden": {
      "type": "/api/errors#forbidden",
      "title": "This is not allowed with this key, or in this world.",
      "status": 403,
      "detail": "This is not allowed with this key, or in this world. The operator of the world decides about both.",
      "code": "forbidden",
      "requestId": "Zm9vYmE-001"
    },
    "admin_key_is_read_only": {
      "type": "/api/errors#admin_key_is_read_only",
      "title": "This admin key may read everything, and change nothing.",
      "status": 403,
      "detail": "This admin key may read everything, and change nothing. Use an admin key of kind full; galaxyd admin-key new makes one.",
      "code": "admin_key_is_read_only",
      "requestId": "Zm9vYmE-001"
    },
    "read_only": {
      "type": "/api/errors#read_only",
      "title": "This server shows the past of a world, and takes no commands.",
      "status": 403,
      "detail": "This server shows the past of a world, and takes no commands. Send commands to the server of a world that goes on.",
      "code": "read_only",
      "requestId": "Zm9vYmE-001"
    },
    "registration_closed": {
      "type": "/api/errors#registration_closed",
      "title": "Only the operator creates players in this world.",
      "status": 403,
      "detail": "Only the operator creates players in this world. Ask the operator for a player and its key.",
      "code": "registration_closed",
      "requestId": "Zm9vYmE-001"
    },
    "rate_limited": {
      "type": "/api/errors#rate_limited",
      "title": "A rate limit is reached; limit names it.",
      "status": 429,
      "detail": "This address has created as many players as it may for now. Ask again after retryAfterMs; without it, once something that limit counts has ended.",
      "code": "rate_limited",
      "requestId": "Zm9vYmE-001",
      "limit": { "name": "registrations", "maximum": 1 },
      "retryAfterMs": 60000
    },
    "not_your_turn": {
      "type": "/api/errors#not_your_turn",
      "title": "It is not the caller's turn.",
      "status": 409,
      "detail": "It is not the caller's turn. GET /api/turn waits for it.",
      "code": "not_your_turn",
      "requestId": "Zm9vYmE-001"
    },
    "command_budget_spent": {
      "type": "/api/errors#command_budget_spent",
      "title": "The caller has no commands left this world day.",
      "status": 409,
      "detail": "No commands are left until the next day begins at 2000-01-02T00:00:00.000Z. End the turn with POST /api/turn/end.",
      "code": "command_budget_spent",
      "requestId": "Zm9vYmE-001"
    },
    "turns_running": {
      "type": "/api/errors#turns_running",
      "title": "A game of turns is running.",
      "status": 409,
      "detail": "A game of turns is running. GET /api/admin/turns says until when.",
      "code": "turns_running",
      "requestId": "Zm9vYmE-001"
    },
    "route_not_found": {
      "type": "/api/errors#route_not_found",
      "title": "There is no such path.",
      "status": 404,
      "detail": "There is no such path. GET /openapi.json lists all paths.",
      "code": "route_not_found",
      "requestId": "Zm9vYmE-001"
    },
    "method_not_allowed": {
      "type": "/api/errors#method_not_allowed",
      "title": "The path exists, but not with this method.",
      "status": 405,
      "detail": "The path exists, but not with this method. The header Allow names its methods.",
      "code": "method_not_allowed",
      "requestId": "Zm9vYmE-001"
    },
    "body_too_large": {
      "type": "/api/errors#body_too_large",
      "title": "The body is too large.",
      "status": 413,
      "detail": "The body may be at most 65536 bytes long. Send less in one request.",
      "code": "body_too_large",
      "requestId": "Zm9vYmE-001"
    },
    "unsupported_media_type": {
      "type": "/api/errors#unsupported_media_type",
      "title": "The body must be application/json.",
      "status": 415,
      "detail": "The body must be application/json. Send the header Content-Type: application/json.",
      "code": "unsupported_media_type",
      "requestId": "Zm9vYmE-001"
    },
    "player_not_found": {
      "type": "/api/errors#player_not_found",
      "title": "There is no such player.",
      "status": 404,
      "detail": "There is no such player. POST /api/game/player creates one; an id is valid until the player is retired.",
      "code": "player_not_found",
      "requestId": "Zm9vYmE-001"
    },
    "planet_not_found": {
      "type": "/api/errors#planet_not_found",
      "title": "There is no such planet.",
      "status": 404,
      "detail": "There is no such planet. The system view (GET /api/game/galaxy/:galaxy/system/:system) lists the planets that there are.",
      "code": "planet_not_found",
      "requestId": "Zm9vYmE-001"
    },
    "system_not_found": {
      "type": "/api/errors#system_not_found",
      "title": "There is no such system in the galaxy.",
      "status": 404,
      "detail": "There is no such system in the galaxy. GET /api/game/galaxy/:galaxy lists the systems that players live in, and how many there are.",
      "code": "system_not_found",
      "requestId": "Zm9vYmE-001"
    },
    "precondition_failed": {
      "type": "/api/errors#precondition_failed",
      "title": "It has changed since it was read: If-Match does not name its present entity tag.",
      "status": 412,
      "detail": "It has changed since it was read: If-Match does not name its present entity tag. Read it again, and decide anew.",
      "code": "precondition_failed",
      "requestId": "Zm9vYmE-001"
    },
    "events_expired": {
      "type": "/api/errors#events_expired",
      "title": "The events after since are no longer kept, or since is the seq of no event.",
      "status": 410,
      "detail": "The events after since are no longer kept, or since is the seq of no event. Read the state afresh, and go on from its lastEventSeq.",
      "code": "events_expired",
      "requestId": "Zm9vYmE-001",
      "oldestSeq": 1
    },
    "plans_not_in_rules": {
      "type": "/api/errors#plans_not_in_rules",
      "title": "The rules of the world have no plans.",
      "status": 409,
      "detail": "The rules of the world have no plans. Send each step as a command of its own.",
      "code": "plans_not_in_rules",
      "requestId": "Zm9vYmE-001"
    },
    "sight_not_in_rules": {
      "type": "/api/errors#sight_not_in_rules",
      "title": "The rules of the world let planets see no flights.",
      "status": 409,
      "detail": "The rules of the world let planets see no flights. The event incoming_fleet warns of fleets on their way to your planets.",
      "code": "sight_not_in_rules",
      "requestId": "Zm9vYmE-001"
    },
    "messages_not_in_rules": {
      "type": "/api/errors#messages_not_in_rules",
      "title": "The rules of the world have no messages.",
      "status": 409,
      "detail": "The rules of the world have no messages. Play without words.",
      "code": "messages_not_in_rules",
      "requestId": "Zm9vYmE-001"
    },
    "blocked_by_receiver": {
      "type": "/api/errors#blocked_by_receiver",
      "title": "The receiver takes no messages of the player.",
      "status": 409,
      "detail": "The receiver takes no messages of the player. Write to somebody else; the receiver can unblock you.",
      "code": "blocked_by_receiver",
      "requestId": "Zm9vYmE-001"
    },
    "message_limit_reached": {
      "type": "/api/errors#message_limit_reached",
      "title": "The player has sent as many messages as it may for now.",
      "status": 409,
      "detail": "The player has sent as many messages to everybody as it may in a period. possibleAt says when the next message is possible; limit has the name and value of the limit.",
      "code": "message_limit_reached",
      "requestId": "Zm9vYmE-001",
      "possibleAt": "2000-01-01T01:00:00.000Z",
      "limit": { "name": "messages.broadcastsMax", "maximum": 2 }
    },
    "market_not_in_rules": {
      "type": "/api/errors#market_not_in_rules",
      "title": "The rules of the world have no market.",
      "status": 409,
      "detail": "The rules of the world have no market. Send resources with the mission transport.",
      "code": "market_not_in_rules",
      "requestId": "Zm9vYmE-001"
    },
    "offer_not_found": {
      "type": "/api/errors#offer_not_found",
      "title": "There is no such open offer that the player can see.",
      "status": 404,
      "detail": "There is no such open offer that the player can see. GET /api/market/galaxy/:galaxy lists the open offers to everybody, GET /api/market/player/:playerId your own and those to you.",
      "code": "offer_not_found",
      "requestId": "Zm9vYmE-001"
    },
    "trade_not_possible": {
      "type": "/api/errors#trade_not_possible",
      "title": "Nobody can trade this.",
      "status": 422,
      "detail": "An offer gives one resource and wants another. Take an offer of somebody else; offer one resource for another.",
      "code": "trade_not_possible",
      "requestId": "Zm9vYmE-001"
    },
    "offer_out_of_reach": {
      "type": "/api/errors#offer_out_of_reach",
      "title": "The maker of the offer cannot send the goods to this planet.",
      "status": 422,
      "detail": "The maker of the offer has put aside 0 h2 for the way, and it takes 116. Trade with a planet nearer by, or by an offer with a higher h2Max.",
      "code": "offer_out_of_reach",
      "requestId": "Zm9vYmE-001"
    },
    "deliveries_used_up": {
      "type": "/api/errors#deliveries_used_up",
      "title": "A side would receive more beyond the value of what it gives than its planet still takes from other players.",
      "status": 422,
      "detail": "planet-1-0-26 would receive 29999 units beyond the value of what it gives, and takes 730 from other players now. Trade at the values of the rules (market of GET /api/catalog), or wait for the next period of deliveries.",
      "code": "deliveries_used_up",
      "requestId": "Zm9vYmE-001"
    },
    "shocks_not_in_rules": {
      "type": "/api/errors#shocks_not_in_rules",
      "title": "The rules of the world have no shocks.",
      "status": 409,
      "detail": "The rules of the world have no shocks. Only rules with the part shocks have them.",
      "code": "shocks_not_in_rules",
      "requestId": "Zm9vYmE-001"
    },
    "pacts_not_in_rules": {
      "type": "/api/errors#pacts_not_in_rules",
      "title": "The rules of the world have no pacts.",
      "status": 409,
      "detail": "The rules of the world have no pacts. Only rules with the part pacts have them.",
      "code": "pacts_not_in_rules",
      "requestId": "Zm9vYmE-001"
    },
    "pact_not_found": {
      "type": "/api/errors#pact_not_found",
      "title": "There is no such pact.",
      "status": 404,
      "detail": "There is no such pact. GET /api/game/pacts/:playerId lists the pacts and proposals that there are.",
      "code": "pact_not_found",
      "requestId": "Zm9vYmE-001"
    },
    "pact_exists": {
      "type": "/api/errors#pact_exists",
      "title": "The two players have such a pact already, or one is proposed.",
      "status": 409,
      "detail": "The two players have such a pact already, or one is proposed. Wait until it ends, or answer the proposal: GET /api/game/pacts/:playerId lists it.",
      "code": "pact_exists",
      "requestId": "Zm9vYmE-001"
    },
    "pact_in_force": {
      "type": "/api/errors#pact_in_force",
      "title": "The pact is in force already.",
      "status": 409,
      "detail": "The pact is in force already. POST /api/pact/:pactId/cancel gives notice of it.",
      "code": "pact_in_force",
      "requestId": "Zm9vYmE-001"
    },
    "pact_ending": {
      "type": "/api/errors#pact_ending",
      "title": "The pact has been cancelled already.",
      "status": 409,
      "detail": "The pact has been cancelled already. It ends at endsAt, as GET /api/game/pacts/:playerId shows.",
      "code": "pact_ending",
      "requestId": "Zm9vYmE-001"
    },
    "pact_with_oneself": {
      "type": "/api/errors#pact_with_oneself",
      "title": "A pact needs two players.",
      "status": 422,
      "detail": "A pact needs two players. Name another player as partnerId.",
      "code": "pact_with_oneself",
      "requestId": "Zm9vYmE-001"
    },
    "rules_not_compatible": {
      "type": "/api/errors#rules_not_compatible",
      "title": "The world cannot switch to these rules.",
      "status": 409,
      "detail": "The world already uses these rules. A world can only switch to rules that extend those that it has.",
      "code": "rules_not_compatible",
      "requestId": "Zm9vYmE-001"
    },
    "fleet_not_found": {
      "type": "/api/errors#fleet_not_found",
      "title": "There is no such fleet that the player can command.",
      "status": 404,
      "detail": "There is no such fleet that the player can command. GET /api/fleet/player/:playerId lists those of the player that are in flight or stationed; a planet lists as supporters those that it can dismiss.",
      "code": "fleet_not_found",
      "requestId": "Zm9vYmE-001"
    },
    "building_not_found": {
      "type": "/api/errors#building_not_found",
      "title": "The planet has no such building.",
      "status": 404,
      "detail": "The planet has no such building. Build it with POST /api/building/construct; a building whose first construction was cancelled is gone.",
      "code": "building_not_found",
      "requestId": "Zm9vYmE-001"
    },
    "queue_entry_not_found": {
      "type": "/api/errors#queue_entry_not_found",
      "title": "There is no such entry in the queue.",
      "status": 404,
      "detail": "There is no such entry in the queue. The constructionQueue of the building that is being upgraded has the present queueId.",
      "code": "queue_entry_not_found",
      "requestId": "Zm9vYmE-001"
    },
    "not_owner": {
      "type": "/api/errors#not_owner",
      "title": "The request names something that the player does not own.",
      "status": 403,
      "detail": "planet-1-187-5 belongs to player-2, not to player-1. Name the player's own planets and fleets, as GET /api/game/state/:playerId lists them.",
      "code": "not_owner",
      "requestId": "Zm9vYmE-001",
      "owner": { "id": "player-2", "name": "owner 1", "isBot": true }
    },
    "address_blocked": {
      "type": "/api/errors#address_blocked",
      "title": "The operator has blocked this address for a time.",
      "status": 403,
      "detail": "The operator has blocked this address for a time. Ask the operator of the world.",
      "code": "address_blocked",
      "requestId": "Zm9vYmE-001"
    },
    "player_suspended": {
      "type": "/api/errors#player_suspended",
      "title": "The operator has suspended the player, who changes nothing meanwhile.",
      "status": 403,
      "detail": "The operator has suspended the player, who changes nothing meanwhile. Wait for the event player_resumed, or ask the operator of the world; reads go on meanwhile.",
      "code": "player_suspended",
      "requestId": "Zm9vYmE-001"
    },
    "building_exists": {
      "type": "/api/errors#building_exists",
      "title": "The planet already has a building of this type.",
      "status": 409,
      "detail": "The planet already has a building of this type. POST /api/building/upgrade raises its level.",
      "code": "building_exists",
      "requestId": "Zm9vYmE-001"
    },
    "name_taken": {
      "type": "/api/errors#name_taken",
      "title": "The name is that of another player, or looks like it.",
      "status": 409,
      "detail": "The name looks like that of player-1. Choose a name that looks like no other; owner has the one that it looks like.",
      "code": "name_taken",
      "requestId": "Zm9vYmE-001",
      "owner": { "id": "player-1", "name": "name_taken", "isBot": true }
    },
    "upgrade_in_progress": {
      "type": "/api/errors#upgrade_in_progress",
      "title": "Another building of the planet is being upgraded.",
      "status": 409,
      "detail": "Another building of the planet is being upgraded. Wait until finishAt of inProgress, or cancel its queueId with POST /api/building/cancel.",
      "code": "upgrade_in_progress",
      "requestId": "Zm9vYmE-001",
      "inProgress": {
        "planetId": "planet-1-0-26",
        "buildingType": "zentrale",
        "queueId": "queue-1",
        "targetLevel": 2,
        "startedAt": "2000-01-01T00:00:00.000Z",
        "finishAt": "2000-01-01T00:04:00.000Z"
      }
    },
    "other_ship_in_production": {
      "type": "/api/errors#other_ship_in_production",
      "title": "Another ship type is in production on the planet.",
      "status": 409,
      "detail": "Another ship type is in production on the planet. Wait until finishAt of inProgress, or cancel its shipType with POST /api/shipyard/cancel.",
      "code": "other_ship_in_production",
      "requestId": "Zm9vYmE-001",
      "inProgress": { "planetId": "planet-1-0-26", "shipType": "scout", "count": 1, "finishAt": "2000-01-01T00:01:20.000Z" }
    },
    "research_in_progress": {
      "type": "/api/errors#research_in_progress",
      "title": "The player already has a research in progress.",
      "status": 409,
      "detail": "The player already has a research in progress. Wait until finishAt of inProgress.",
      "code": "research_in_progress",
      "requestId": "Zm9vYmE-001",
      "inProgress": {
        "researchType": "drive_ion",
        "targetLevel": 1,
        "startedAt": "2000-01-01T00:00:00.000Z",
        "finishAt": "2000-01-01T00:02:00.000Z"
      }
    },
    "planet_occupied": {
      "type": "/api/errors#planet_occupied",
      "title": "The planet already has an owner.",
      "status": 409,
      "detail": "The planet already has an owner. Planets that are free have the owner null in the system view.",
      "code": "planet_occupied",
      "requestId": "Zm9vYmE-001",
      "owner": { "id": "player-1", "name": "planet_occupied", "isBot": true }
    },
    "starter_limit_reached": {
      "type": "/api/errors#starter_limit_reached",
      "title": "The player has as many starter planets as the rules allow.",
      "status": 409,
      "detail": "The player has as many starter planets as the rules allow. Take further planets with the mission colonize.",
      "code": "starter_limit_reached",
      "requestId": "Zm9vYmE-001"
    },
    "fleet_not_in_transit": {
      "type": "/api/errors#fleet_not_in_transit",
      "title": "The fleet is already on its way back.",
      "status": 409,
      "detail": "The fleet is already on its way back. It is back at returnsAt.",
      "code": "fleet_not_in_transit",
      "requestId": "Zm9vYmE-001"
    },
    "fleet_not_stationed": {
      "type": "/api/errors#fleet_not_stationed",
      "title": "The fleet is not stationed at a planet of the player.",
      "status": 409,
      "detail": "The fleet is not stationed at a planet of the player. supporters of the planet lists the fleets of others that are.",
      "code": "fleet_not_stationed",
      "requestId": "Zm9vYmE-001"
    },
    "universe_full": {
      "type": "/api/errors#universe_full",
      "title": "The universe has no planet left for another starter.",
      "status": 409,
      "detail": "The universe has no planet left for another starter. Planets become free only when players are retired.",
      "code": "universe_full",
      "requestId": "Zm9vYmE-001"
    },
    "limit_reached": {
      "type": "/api/errors#limit_reached",
      "title": "A limit of the world has been reached.",
      "status": 409,
      "detail": "The shipyard has as many orders as it takes: one must be complete first. limit has its name and value.",
      "code": "limit_reached",
      "requestId": "Zm9vYmE-001",
      "limit": { "name": "SHIP_ORDERS_PER_PLANET_MAX", "maximum": 50 }
    },
    "insufficient_ships": {
      "type": "/api/errors#insufficient_ships",
      "title": "The origin planet does not have enough of these ships.",
      "status": 422,
      "detail": "The origin planet does not have enough of these ships. missing says how many: send fewer, or build them with POST /api/shipyard/build.",
      "code": "insufficient_ships",
      "requestId": "Zm9vYmE-001",
      "missing": { "transport": 1 }
    },
    "no_drive_available": {
      "type": "/api/errors#no_drive_available",
      "title": "No researched drive can fly this far.",
      "status": 422,
      "detail": "No researched drive can fly this far. POST /api/fleet/simulate says for each drive what it needs.",
      "code": "no_drive_available",
      "requestId": "Zm9vYmE-001"
    },
    "hangar_capacity_exceeded": {
      "type": "/api/errors#hangar_capacity_exceeded",
      "title": "The hangars cannot hold all carried ships.",
      "status": 422,
      "detail": "The hangars cannot hold all carried ships. missing says how much room: carry fewer ships, or more that have hangars.",
      "code": "hangar_capacity_exceeded",
      "requestId": "Zm9vYmE-001",
      "missing": { "hangar": 1 }
    },
    "insufficient_h2": {
      "type": "/api/errors#insufficient_h2",
      "title": "There is not enough h2 for the flight.",
      "status": 422,
      "detail": "There is not enough h2 for the flight. missing says how much: send fewer ships, name a drive that needs less, or wait for production.",
      "code": "insufficient_h2",
      "requestId": "Zm9vYmE-001",
      "missing": { "h2": 3544 }
    },
    "cargo_capacity_exceeded": {
      "type": "/api/errors#cargo_capacity_exceeded",
      "title": "The cargo exceeds the capacity of the ships.",
      "status": 422,
      "detail": "The cargo exceeds the capacity of the ships. missing says how much: carry less, or send more ships with cargo space.",
      "code": "cargo_capacity_exceeded",
      "requestId": "Zm9vYmE-001",
      "missing": { "cargo": 1 }
    },
    "shipyard_required": {
      "type": "/api/errors#shipyard_required",
      "title": "The planet needs a shipyard of level 1.",
      "status": 422,
      "detail": "The planet needs a shipyard of level 1. Build one with POST /api/building/construct, and wait until it is complete.",
      "code": "shipyard_required",
      "requestId": "Zm9vYmE-001"
    },
    "nothing_in_production": {
      "type": "/api/errors#nothing_in_production",
      "title": "No such ship is in production on the planet.",
      "status": 422,
      "detail": "No such ship is in production on the planet. GET /api/shipyard/planet/:planetId shows what is in production.",
      "code": "nothing_in_production",
      "requestId": "Zm9vYmE-001"
    },
    "insufficient_resources": {
      "type": "/api/errors#insufficient_resources",
      "title": "The planet does not have enough resources.",
      "status": 422,
      "detail": "The planet does not have enough resources. missing says how much, affordableAt when production covers it; null is never.",
      "code": "insufficient_resources",
      "requestId": "Zm9vYmE-001",
      "missing": { "ember": 40 },
      "affordableAt": null
    },
    "mission_not_possible": {
      "type": "/api/errors#mission_not_possible",
      "title": "The mission is not possible.",
      "status": 422,
      "detail": "A player cannot attack its own planet. Choose another target, other ships or another mission.",
      "code": "mission_not_possible",
      "requestId": "Zm9vYmE-001"
    },
    "idempotency_key_in_flight": {
      "type": "/api/errors#idempotency_key_in_flight",
      "title": "The first request with this Idempotency-Key is not durable yet.",
      "status": 409,
      "detail": "The first request with this Idempotency-Key is not durable yet. Repeat the request after retryAfterMs.",
      "code": "idempotency_key_in_flight",
      "requestId": "Zm9vYmE-001",
      "retryAfterMs": 100
    },
    "idempotency_key_reused": {
      "type": "/api/errors#idempotency_key_reused",
      "title": "This Idempotency-Key was used for another request.",
      "status": 422,
      "detail": "This Idempotency-Key was used for another request. Use a new key for each request.",
      "code": "idempotency_key_reused",
      "requestId": "Zm9vYmE-001"
    },
    "internal_error": {
      "type": "/api/errors#internal_error",
      "title": "Internal error. It is unknown whether the request took effect.",
      "status": 500,
      "detail": "Internal error. It is unknown whether the request took effect. Read the state, or repeat the request with the same Idempotency-Key.",
      "code": "internal_error",
      "requestId": "Zm9vYmE-001"
    },
    "overloaded": {
      "type": "/api/errors#overloaded",
      "title": "The server is overloaded: too much work is waiting.",
      "status": 503,
      "detail": "The server is overloaded: too much work is waiting. Repeat the request after retryAfterMs.",
      "code": "overloaded",
      "requestId": "Zm9vYmE-001",
      "retryAfterMs": 1000
    },
    "storage_unavailable": {
      "type": "/api/errors#storage_unavailable",
      "title": "The disk is nearly full, or a file of the log is not in its place; changes are refused until that is mended.",
      "status": 503,
      "detail": "The disk is nearly full, or a file of the log is not in its place; changes are refused until that is mended. Repeat the request after retryAfterMs; the log of the server says what its operator must do.",
      "code": "storage_unavailable",
      "requestId": "Zm9vYmE-001",
      "retryAfterMs": 1000
    },
    "world_paused": {
      "type": "/api/errors#world_paused",
      "title": "The operator has paused the world: its clock stands, and players change nothing.",
      "status": 503,
      "detail": "The operator has paused the world: its clock stands, and players change nothing. Repeat the request after retryAfterMs; GET /api/status has pausedAt for as long.",
      "code": "world_paused",
      "requestId": "Zm9vYmE-001",
      "retryAfterMs": 1000
    },
    "snapshot_failed": {
      "type": "/api/errors#snapshot_failed",
      "title": "The snapshot failed. The world keeps running.",
      "status": 503,
      "detail": "another snapshot is being written to data/snapshots; try again when it is done. Repeat the request after retryAfterMs.",
      "code": "snapshot_failed",
      "requestId": "Zm9vYmE-001",
      "retryAfterMs": 1000
    },
    "not_leader": {
      "type": "/api/errors#not_leader",
      "title": "This process does not lead the world.",
      "status": 421,
      "detail": "This process does not lead the world. Send the same request to the address in location, where the leader takes it.",
      "code": "not_leader",
      "requestId": "Zm9vYmE-001"
    },
    "no_leader": {
      "type": "/api/errors#no_leader",
      "title": "No process leads the world at present, as far as this one knows.",
      "status": 503,
      "detail": "No process leads the world at present, as far as this one knows. Repeat the request after retryAfterMs.",
      "code": "no_leader",
      "requestId": "Zm9vYmE-001",
      "retryAfterMs": 250
    },
    "replica_behind": {
      "type": "/api/errors#replica_behind",
      "title": "This process has not applied the entry or event yet that the request asks for.",
      "status": 503,
      "detail": "This process has not applied the entry or event yet that the request asks for. Repeat the request after retryAfterMs.",
      "code": "replica_behind",
      "requestId": "Zm9vYmE-001",
      "retryAfterMs": 250
    },
    "recovering": {
      "type": "/api/errors#recovering",
      "title": "The server recovers its world, and answers nothing else yet.",
      "status": 503,
      "detail": "The files of the world are being opened. Repeat the request after retryAfterMs; each reply says in recovery how far it is.",
      "code": "recovering",
      "requestId": "Zm9vYmE-001",
      "recovery": { "phase": "opening", "done": 0, "total": null, "secondsLeft": null },
      "retryAfterMs": 1000
    },
    "shutting_down": {
      "type": "/api/errors#shutting_down",
      "title": "The server is stopping.",
      "status": 503,
      "detail": "The server is stopping. Repeat the request after retryAfterMs.",
      "code": "shutting_down",
      "requestId": "Zm9vYmE-001",
      "retryAfterMs": 1000
    }
  }
};
