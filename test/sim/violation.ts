// The failure of a simulation: a promise of the server that was seen broken.

export class Violation extends Error {
  override readonly name = 'Violation';
}

/** @throws Violation with the sentence, if the condition does not hold */
export function require(condition: boolean, sentence: () => string): asserts condition {
  if (!condition) throw new Violation(sentence());
}
