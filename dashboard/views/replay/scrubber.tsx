// The scrubber of a replay: where in the past the world is, and how it goes on. It is shown only in a replay.

export default function Scrubber() {
  return <section class="scrubber" aria-label="Replay" />;
}
