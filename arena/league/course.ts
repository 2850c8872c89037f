// The course of a game, as a replay of its world shows it: more than the result of a tournament holds. The league computes its tables
// from courses. The replay needs the engine, which the arena does not know: cli/game-course.ts makes it.

/** How a planet stood each time it was looked at. */
export interface Looks {
  /** An upgrade is under way, and the one after it could be paid already: time is what is short. */
  readonly timers: number;
  /** An upgrade is under way, and the one after it cannot be paid yet. */
  readonly balanced: number;
  /** Nothing is under way, and no next level of a building that produces, or not the next one planned, can be paid: resources are short. */
  readonly resources: number;
  /** Nothing is under way although something could be paid: its player sleeps, saves, or does not want to. */
  readonly unused: number;
}

/** Numbers by the name of a type. */
export type ByType = Readonly<Record<string, number>>;

export interface PlayerCourse {
  readonly playerId: string;
  /** Points at the end of each world day. */
  readonly points: readonly number[];
  /** Planets at the end. */
  readonly planets: number;
  readonly looks: Looks;
  /** Those of the first seven days. */
  readonly firstWeek: Looks;
  /** Units of resources in the buildings at the end. */
  readonly buildings: ByType;
  /** Units of resources in the ships that were ordered. */
  readonly ships: ByType;
  /** Launches by drive, and by mission. */
  readonly drives: ByType;
  readonly missions: ByType;
  /** Levels at the end. */
  readonly research: ByType;
}

/** The course of a game: its players by number. */
export interface GameCourse {
  readonly players: readonly PlayerCourse[];
  /** All types of the rules, in their order: what nobody uses must show. */
  readonly types: {
    readonly buildings: readonly string[];
    readonly ships: readonly string[];
    readonly drives: readonly string[];
    readonly missions: readonly string[];
    readonly research: readonly string[];
  };
}
