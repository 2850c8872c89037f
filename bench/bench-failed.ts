// How a program of the bench ends: an expected failure is one sentence without a stack.

export class BenchFailed extends Error {
  override readonly name = 'BenchFailed';
}

/** Runs a program to its end. After a BenchFailed it exits with 1; signals end it in order. @param name of the program */
export async function runProgram(name: string, work: () => Promise<void>): Promise<void> {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BenchFailed)) throw error;
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}
