// A requested cut of the log that is not complete yet.

/** A promise of the seq after which the log was cut. */
export class PendingCut {
  resolve: (seq: number) => void = () => {};
  reject: (error: Error) => void = () => {};
  readonly seq: Promise<number> = new Promise<number>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}
