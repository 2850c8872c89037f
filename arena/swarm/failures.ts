// How a swarm fails, each with a sentence for the user.

/** A swarm cannot play, or not any more. */
export class CannotPlay extends Error {
  override readonly name = 'CannotPlay';
}

/** A file is no file of keys. */
export class BadKeyFile extends Error {
  override readonly name = 'BadKeyFile';
}
