// The header: name of the world, navigation, world time and the viewer's time, state of the connection, key and theme.
import { linkTo } from './address.js';
import { theme, toggleTheme } from './colours.js';
import { openHelp } from './keyboard.js';
import { Button, Icon, type IconName } from './parts/button.js';
import { formatViewerTime, formatWorldTime } from './parts/format.js';
import { openKeyDialog } from './parts/notice.js';
import type { Target } from './routes.js';
import { openSearch } from './views/player/player-search.js';
import { hasKey } from './world/api.js';
import { type ConnectionState, connection, needsKey, status } from './world/status.js';
import { worldNowMs } from './world/world-clock.js';

export interface NavigationEntry {
  readonly key: string;
  readonly title: string;
  readonly icon: IconName;
  readonly target: () => Target;
}

interface HeaderProps {
  readonly entries: readonly NavigationEntry[];
  /** The entry whose view is shown; null if none is. */
  readonly current: NavigationEntry | null;
}

const CONNECTION_TEXTS: Readonly<Record<ConnectionState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  paused: 'Paused',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  replay: 'Replay',
  locked: 'Key needed',
};

export function Header({ entries, current }: HeaderProps) {
  const body = status.value;
  const world = body === null ? ' ' : `${body.rules.name} · speed ${body.speed}`;
  return (
    <header class="header">
      <a class="brand" href={linkTo({ view: 'universe' })}>
        <span class="brand-name">{body?.name ?? 'galaxyd'}</span>
        <span class="brand-world" title={world}>
          {world}
        </span>
      </a>
      <nav class="navigation" aria-label="Views">
        {entries.map((entry) => (
          <a
            key={entry.key}
            class="navigation-link"
            href={linkTo(entry.target())}
            title={`${entry.title} (${entry.key})`}
            aria-current={entry === current ? 'page' : undefined}
          >
            <Icon name={entry.icon} />
            <span class="navigation-title">{entry.title}</span>
          </a>
        ))}
      </nav>
      <span class={`connection is-${connection.value}`} role="status">
        {CONNECTION_TEXTS[connection.value]}
      </span>
      <Clock />
      <Buttons />
    </header>
  );
}

/** The states in which the server has said what time it is in the world. */
const CERTAIN: ReadonlySet<ConnectionState> = new Set(['live', 'paused', 'replay']);

/** World time, large, and below it the viewer's. */
function Clock() {
  const worldMs = worldNowMs.value;
  const isCertain = CERTAIN.has(connection.value);
  return (
    <div class={`clock${isCertain ? '' : ' is-uncertain'}`}>
      <span class="clock-world" title="World time">
        {worldMs === null ? '0000-00-00 00:00:00' : formatWorldTime(worldMs)}
      </span>
      <span class="clock-viewer">
        <span class="is-desktop">World time · </span>
        {formatViewerTime(Date.now())} here
      </span>
    </div>
  );
}

function Buttons() {
  const [next, icon] = theme.value === 'dark' ? (['light', 'sun'] as const) : (['dark', 'moon'] as const);
  const [keyText, keyLook] = hasKey.value ? ['Key in use', 'is-quiet is-on'] : ['Enter a key', 'is-quiet'];
  return (
    <div class="header-buttons">
      {needsKey.value && <Button look={keyLook} icon="key" label={keyText} shortcut="k" onClick={openKeyDialog} />}
      <Button look="is-quiet" icon="search" label="Search for a player" shortcut="/" onClick={openSearch} />
      <Button look="is-quiet" icon={icon} label={`Use the ${next} theme`} shortcut="t" onClick={toggleTheme} />
      <Button look="is-quiet is-desktop" icon="help" label="Help" shortcut="?" onClick={openHelp} />
    </div>
  );
}
