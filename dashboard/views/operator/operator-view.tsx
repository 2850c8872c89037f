// What an operator watches: load, latency, durability, timers, readers of events, memory.
import { Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';

export default function OperatorView() {
  return (
    <Page title="Server">
      <Notice kind="loading" title="Loading…" />
    </Page>
  );
}
