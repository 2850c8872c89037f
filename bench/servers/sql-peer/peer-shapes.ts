// The shapes that the SQL peer reads from its tables and answers with: those of the contract, as far as it offers them.

export const RESOURCE_NAMES = ['iron', 'silver', 'ember', 'h2', 'energy'] as const;
export type ResourceUnits = Record<(typeof RESOURCE_NAMES)[number], number>;

export interface QueueEntryBody {
  readonly queueId: string;
  readonly targetLevel: number;
  readonly startedAt: string;
  readonly upgradeFinishAt: string;
}

export interface PlanetBody extends ResourceUnits {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
  readonly system: { readonly galaxyIndex: number; readonly index: number };
  readonly buildings: readonly {
    readonly id: string;
    readonly type: string;
    readonly level: number;
    readonly constructionQueue: readonly QueueEntryBody[];
  }[];
  readonly planetShips: readonly { readonly shipType: string; readonly count: number }[];
  readonly shipyardQueue: readonly [];
  readonly owner: { readonly id: string; readonly name: string; readonly isBot: boolean };
}

export interface StateBody {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
  readonly planets: readonly PlanetBody[];
  readonly fleets: readonly [];
  readonly research: readonly [];
}

/** A planet with what the reply tells of its owner. */
export interface PlanetRow extends ResourceUnits {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
  readonly galaxy: number;
  readonly system: number;
  readonly sinceMs: number;
  readonly playerId: string;
  readonly playerName: string;
  readonly isBot: number;
}

export interface UpgradeRow {
  readonly planetId: string;
  readonly queueNumber: number;
  readonly type: number;
  readonly targetLevel: number;
  readonly startedMs: number;
  readonly finishMs: number;
}

/** What the peer is filled with: states as the server under test answers them, and its speed. */
export interface PeerFilling {
  readonly speed: number;
  readonly states: readonly StateBody[];
}
