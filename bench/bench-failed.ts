// What can go wrong without being a mistake of the bench: told in one sentence, without a stack.

export class BenchFailed extends Error {
  override readonly name = 'BenchFailed';
}

/** Runs a program to its end; an expected failure ends it with 1 and its sentence. */
export async function runProgram(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BenchFailed)) throw error;
    console.error(`bench: ${error.message}`);
    process.exitCode = 1;
  }
}
