// The header: name of the world, navigation, world time and the viewer's time, state of the connection, key and theme.
import { linkTo, route } from './address.js';
import { theme } from './colours.js';
import { isHelpOpen } from './help-dialog.js';
import { navigation } from './navigation.js';
import { formatViewerTime, formatWorldTime } from './parts/format.js';
import { Icon } from './parts/icon.js';
import { openKeyDialog } from './parts/key-dialog.js';
import { toggleTheme } from './theme.js';
import { hasKey } from './world/api.js';
import { type ConnectionState, connection, needsKey, status } from './world/status.js';
import { worldNowMs } from './world/world-clock.js';

const CONNECTION_TEXTS: Readonly<Record<ConnectionState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  replay: 'Replay',
  locked: 'Key needed',
};

export function Header() {
  return (
    <header class="header">
      <a class="brand" href={linkTo({ view: 'universe' })}>
        <span class="brand-name">{status.value?.name ?? 'galaxyd'}</span>
        <span class="brand-world">{worldText()}</span>
      </a>
      <Navigation />
      <span class={`connection is-${connection.value}`} role="status">
        {CONNECTION_TEXTS[connection.value]}
      </span>
      <Clock />
      <Buttons />
    </header>
  );
}

/** Says which world it is. */
function worldText(): string {
  const body = status.value;
  if (body === null) return ' ';
  return `${body.rules.name} · seed ${body.seed} · speed ${body.speed}`;
}

function Navigation() {
  const { view } = route.value;
  return (
    <nav class="navigation" aria-label="Views">
      {navigation.value.map(({ key, title, icon, views, target }) => (
        <a
          key={key}
          class="navigation-link"
          href={linkTo(target())}
          title={`${title} (${key})`}
          aria-current={views.includes(view) ? 'page' : undefined}
        >
          <Icon name={icon} />
          <span class="navigation-title">{title}</span>
        </a>
      ))}
    </nav>
  );
}

/** World time, large, and below it the viewer's. */
function Clock() {
  const worldMs = worldNowMs.value;
  const isCertain = connection.value === 'live' || connection.value === 'replay';
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
  const next = theme.value === 'dark' ? 'light' : 'dark';
  return (
    <div class="header-buttons">
      {needsKey.value && (
        <button
          type="button"
          class={`button is-quiet${hasKey.value ? ' is-on' : ''}`}
          aria-label={hasKey.value ? 'Key in use' : 'Enter a key'}
          title={`${hasKey.value ? 'Key in use' : 'Enter a key'} (k)`}
          onClick={openKeyDialog}
        >
          <Icon name="key" />
        </button>
      )}
      <button
        type="button"
        class="button is-quiet"
        aria-label={`Use the ${next} theme`}
        title={`Use the ${next} theme (t)`}
        onClick={toggleTheme}
      >
        <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
      </button>
      <button
        type="button"
        class="button is-quiet is-desktop"
        aria-label="Help"
        title="Help (?)"
        onClick={() => {
          isHelpOpen.value = true;
        }}
      >
        <Icon name="help" />
      </button>
    </div>
  );
}
