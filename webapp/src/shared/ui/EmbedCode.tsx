import { CopyField } from './CopyField';

interface EmbedCodeProps {
  /** What of this server is embedded: `/embed/…`. */
  path: string;
  /** What it is, for screen readers in the page that it stands in. */
  title: string;
  /** In pixels. */
  height: number;
}

/** HTML by which something of this server stands in a page of another site: docs/behaviour/embeds.md. */
export function EmbedCode({ path, title, height }: EmbedCodeProps) {
  const address = escaped(`${window.location.origin}${path}`);
  const code = `<iframe src="${address}" width="480" height="${height}" title="${escaped(title)}" loading="lazy" style="border:0"></iframe>`;
  return <CopyField label="Embed in a page" value={code} copy="Copy code" isSecond />;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
