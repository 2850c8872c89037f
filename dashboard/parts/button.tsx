// Buttons, and the few icons. Icons are drawn here, so that nothing is loaded for them; the label beside an icon says it all.
import type { ButtonHTMLAttributes } from 'preact';

const PATHS = {
  map: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 4.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6ZM1 10.5C3 12.5 13 8 15 5.5',
  leaderboard: 'M2 14V8h3.5v6M6.3 14V3h3.4v11M10.5 14v-4H14v4',
  player: 'M8 8.2a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 14c.4-3 2.6-4.3 5.5-4.3s5.100 1.3 5.500 4.300',
  feed: 'M2 4h12M2 8h12M2 12h7',
  operator: 'M1.500 9h3l2-6 3 11 2-5h3',
  tournament:
    'M5 2h6v4.500a3 3 0 0 1-6 0ZM5 3.500H2.500c0 2.500.8 3.500 2.700 4M11 3.500h2.500c0 2.500-.8 3.500-2.700 4M8 9.500V13M5 13.500h6',
  key: 'M10.500 2.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8.300 7.700 2.500 13.500M4.500 11.500l1.500 1.500',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7Z',
  search: 'M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9ZM10.300 10.300 14 14',
  help: 'M5.500 6a2.500 2.500 0 1 1 3.600 2.200c-.8.4-1.100.8-1.100 1.800M8 12.700v.1',
  download: 'M8 2v8M4.500 7 8 10.500 11.500 7M2.500 13.500h11',
  play: 'M4.500 2.500v11l9-5.500Z',
  pause: 'M5 2.500v11M11 2.500v11',
  next: 'M4 3v10l7-5ZM12.500 3v10',
  previous: 'M12 3v10L5 8ZM3.500 3v10',
  forward: 'M2 3v10l6-5ZM8 3v10l6-5Z',
  backward: 'M14 3v10L8 8ZM8 3v10L2 8Z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Classes beside `button`, such as `is-primary`. */
  readonly look?: string;
  readonly icon?: IconName;
  /** The name of a button that shows only an icon or a sign. */
  readonly label?: string;
  /** The key that does the same. It is in the tooltip, behind the label. */
  readonly shortcut?: string;
}

export function Button({ look, icon, label, shortcut, children, ...rest }: ButtonProps) {
  const named = label === undefined ? {} : { 'aria-label': label, title: label };
  return (
    <button
      type="button"
      class={look === undefined ? 'button' : `button ${look}`}
      {...named}
      {...(shortcut === undefined ? {} : { title: `${label} (${shortcut})` })}
      {...rest}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface ExportButtonProps {
  /** Such as `SVG`. */
  readonly label: string;
  /** Has its extension. */
  readonly fileName: string;
  readonly contents: () => Blob | Promise<Blob>;
}

/** Saves a picture or a text as a file. The bytes come from the page itself; nothing is sent anywhere. */
export function ExportButton({ label, fileName, contents }: ExportButtonProps) {
  const save = async (): Promise<void> => {
    const url = URL.createObjectURL(await contents());
    const link = document.createElement('a');
    link.href = url;
    link.download = fileName;
    link.click();
    // The browser has read the bytes once the task of the click has ended.
    setTimeout(() => URL.revokeObjectURL(url), 0);
  };
  return (
    <Button icon="download" onClick={() => void save()} title={`Save as ${fileName}`}>
      {label}
    </Button>
  );
}

/** A canvas as a PNG file. */
export function pngOfCanvas(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the picture is too large')) : resolve(blob)),
      'image/png',
    );
  });
}
