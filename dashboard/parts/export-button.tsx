// A button that saves a picture or a text as a file. The bytes come from the page itself; nothing is sent anywhere.
import { Icon } from './icon.js';

interface ExportButtonProps {
  /** Such as `SVG`. */
  readonly label: string;
  /** With its extension. */
  readonly fileName: string;
  readonly contents: () => Blob | Promise<Blob>;
}

export function ExportButton({ label, fileName, contents }: ExportButtonProps) {
  const save = async (): Promise<void> => {
    const url = URL.createObjectURL(await contents());
    const link = document.createElement('a');
    link.href = url;
    link.download = fileName;
    link.click();
    // The browser has taken over the bytes once the task of the click is done.
    setTimeout(() => URL.revokeObjectURL(url), 0);
  };
  return (
    <button type="button" class="button" onClick={() => void save()} title={`Save as ${fileName}`}>
      <Icon name="download" />
      {label}
    </button>
  );
}
