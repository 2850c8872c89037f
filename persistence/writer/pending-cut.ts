// A cut of the log that was asked for and is not made yet.

/** A promise of the seq behind which the log was cut. */
export class PendingCut {
  resolve: (seq: number) => void = () => {};
  reject: (error: Error) => void = () => {};
  readonly seq: Promise<number> = new Promise<number>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}
