// The start of the dashboard: begins to read the world and shows the page.
import { render } from 'preact';
import { App } from './app.js';
import { followTheme } from './theme.js';
import { watchMap } from './world/map-reader.js';
import { watchOrigin } from './world/other-world.js';
import { watchStatus } from './world/status.js';
import { startClock } from './world/world-clock.js';

const place = document.querySelector('#dashboard');
if (place === null) throw new Error('the page has no place for the dashboard');

followTheme();
startClock();
watchStatus();
watchOrigin();
watchMap();
render(<App />, place);
