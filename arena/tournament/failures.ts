// How a tournament, or its verification, fails: each with a sentence for the operator. A fault of an entrant is none of these.

/** What was asked for cannot be done, or not in that folder. */
export class UnfitTournament extends Error {
  override readonly name = 'UnfitTournament';
}

/** The server of a game could not do what the tournament needs of it. No entrant is to blame. */
export class ServerFailed extends Error {
  override readonly name = 'ServerFailed';
}

/** The folder does not hold the result of a tournament. */
export class NoTournament extends Error {
  override readonly name = 'NoTournament';
}
