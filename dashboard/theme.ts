// The theme: that of the system, or the one that the viewer has chosen. Only the choice is stored.
import { effect, signal } from '@preact/signals';
import { type Theme, theme } from './colours.js';

/** The only thing that the dashboard stores. */
const STORED = 'galaxyd-theme';

const prefersLight = matchMedia('(prefers-color-scheme: light)');
const ofSystem = signal<Theme>(prefersLight.matches ? 'light' : 'dark');
const chosen = signal<Theme | null>(storedTheme());

/** Shows the theme from now on. The page does it once. */
export function followTheme(): void {
  prefersLight.addEventListener('change', ({ matches }) => {
    ofSystem.value = matches ? 'light' : 'dark';
  });
  effect(() => {
    theme.value = chosen.value ?? ofSystem.value;
    document.documentElement.dataset['theme'] = theme.value;
  });
}

/** Changes to the other theme. The choice of the system's own theme is not stored. */
export function toggleTheme(): void {
  const next = theme.peek() === 'dark' ? 'light' : 'dark';
  chosen.value = next === ofSystem.peek() ? null : next;
  try {
    if (chosen.value === null) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, next);
  } catch {
    // The viewer allows no storage: the choice ends with the page.
  }
}

function storedTheme(): Theme | null {
  try {
    const stored = localStorage.getItem(STORED);
    return stored === 'dark' || stored === 'light' ? stored : null;
  } catch {
    return null;
  }
}
