// What is reported to the operator of a process whose role changes.

export type RoleEvent =
  /** It leads. @property tookMs since it claimed the lease */
  | { readonly type: 'role_leading'; readonly epoch: number; readonly seq: number; readonly tookMs: number }
  /** It follows a leader. */
  | { readonly type: 'role_following'; readonly epoch: number; readonly leaderUrl: string }
  /** Nobody leads, as far as it knows. */
  | { readonly type: 'role_leaderless'; readonly epoch: number }
  /** Nobody leads, and it does not claim the lease. @property message why */
  | { readonly type: 'role_refused'; readonly epoch: number; readonly message: string }
  /** It cannot be sure that it still leads, and answers nothing. */
  | { readonly type: 'role_paused'; readonly epoch: number; readonly leaseAgeMs: number }
  | { readonly type: 'role_resumed'; readonly epoch: number; readonly pausedMs: number }
  | {
      readonly type: 'role_handing_over';
      readonly epoch: number;
      readonly successorId: string;
      readonly successorUrl: string;
    }
  /** It led, and follows from now on. */
  | { readonly type: 'role_handed_over'; readonly epoch: number; readonly seq: number }
  /** A standby that can read neither the lease nor the log. */
  | { readonly type: 'store_unreachable'; readonly message: string }
  | { readonly type: 'store_reached'; readonly afterMs: number };
