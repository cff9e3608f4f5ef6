import { Button, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { errorText } from '@/api/base';
import type { Game } from '@/shared/rules';
import { saveFile } from '@/shared/saveFile';
import { EmbedCode } from '@/shared/ui/EmbedCode';
import { LinkIcon } from '@/shared/ui/icons';
import { toast } from '@/shared/ui/toast';
import { addressAt } from './moveAddress';
import { pageColours, PICTURE_HEIGHT, PICTURE_WIDTH, pictureFont, pictureSvg, svgAddress, toPng } from './picture';
import type { GameRecord } from '@/shared/replay/record';
import classes from './ShareDialog.module.css';

export type Share = { link: string } | { make: () => Promise<string> };

interface ShareDialogProps {
  opened: boolean;
  onClose: () => void;
  record: GameRecord;
  /** Where the link leads; null for the end. */
  move: number | null;
  /** The position on the board, shown in the picture. */
  shown: Game;
  share: Share | null;
}

const FILE_NAME = 'morpion.png';

/** A public link, a picture of the position, and the game as text. */
export function ShareDialog({ opened, onClose, record, move, shown, share }: ShareDialogProps) {
  return (
    <Modal title="Share" opened={opened} onClose={onClose} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.body}>
        {share !== null && <ShareLink share={share} move={move} title={record.title} />}
        <SharePicture record={record} shown={shown} />
        <ShareNotation notation={record.notation} />
      </div>
    </Modal>
  );
}

function ShareLink({ share, move, title }: { share: Share; move: number | null; title: string }) {
  const [made, setMade] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const link = 'link' in share ? share.link : made;
  const embedded = link === null ? null : embeddedPath(addressAt(link, move));
  const whose =
    move === null ? 'this game' : `this game, which opens ${move === 0 ? 'at its start' : `after move ${move}`}`;

  const copy = async () => {
    setMaking(true);
    try {
      const address = 'link' in share ? share.link : await share.make();
      setMade(address);
      await navigator.clipboard.writeText(addressAt(address, move)).then(
        () => setCopied(true),
        // The link is shown and can be copied by hand.
        () => setCopied(false),
      );
    } catch (error) {
      toast.error(errorText(error, 'The link could not be made. Please try again.'));
    } finally {
      setMaking(false);
    }
  };

  return (
    <section className={classes.part}>
      <p>Whoever has the link can see {whose}, signed in or not.</p>
      <Button leftSection={<LinkIcon />} loading={isMaking} onClick={() => void copy()}>
        {isCopied ? 'Link copied' : 'Copy link'}
      </Button>
      {link !== null && (
        <input className={classes.link} readOnly value={addressAt(link, move)} aria-label="Link to this game" />
      )}
      {embedded !== null && <EmbedCode path={embedded} title={title} height={640} />}
    </section>
  );
}

function ShareNotation({ notation }: { notation: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(notation).then(
      () => setCopied(true),
      () => toast.error('That did not work on this device. Save it instead.'),
    );
  return (
    <section className={classes.part}>
      <p>The game as text, with its tags and moves, for programs and archives.</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => void copy()}>
          {isCopied ? 'Notation copied' : 'Copy notation'}
        </Button>
        <Button variant="default" onClick={() => saveFile('morpion-game.txt', notation, 'text/plain')}>
          Save notation
        </Button>
      </div>
    </section>
  );
}

/** Of a shared game; a practice game is in its address alone, and no server knows it. */
function embeddedPath(link: string): string | null {
  const { pathname, search } = new URL(link);
  const token = /^\/replay\/([^/]+)$/.exec(pathname)?.[1];
  return token === undefined ? null : `/embed/replay/${token}${search}`;
}

function SharePicture({ record, shown }: { record: GameRecord; shown: Game }) {
  const [font, setFont] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    let isHere = true;
    void pictureFont().then((found) => isHere && setFont(found));
    return () => {
      isHere = false;
    };
  }, []);
  const isEnd = shown.turn === null;
  const title = isEnd ? record.title : `After move ${shown.moves.length}`;
  const detail = `${shown.size}×${shown.size}, ${shown.moves.length} moves`;
  if (font === undefined) return <div className={classes.picture} />;
  const svg = pictureSvg({ game: shown, names: record.names, title, detail }, pageColours(), font);

  const attempt = (act: (png: Blob) => Promise<unknown> | void) => async () => {
    try {
      await act(await toPng(svg));
    } catch (error) {
      // Closing the share sheet is not an error.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      toast.error('That did not work on this device. Try another option.');
    }
  };
  const share = attempt((png) => navigator.share({ files: [pngFile(png)], title: `Morpion: ${title}` }));
  const copy = attempt(async (png) => {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    toast.success('Picture copied');
  });
  const download = attempt((png) => {
    const address = URL.createObjectURL(png);
    const link = document.createElement('a');
    link.href = address;
    link.download = FILE_NAME;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });

  return (
    <section className={classes.part}>
      <img
        className={classes.picture}
        src={svgAddress(svg)}
        width={PICTURE_WIDTH}
        height={PICTURE_HEIGHT}
        alt={`${record.names.X} and ${record.names.O} on ${shown.size}×${shown.size}. ${title}`}
      />
      <div className={classes.actions}>
        {canSharePictures() && (
          <Button variant="default" onClick={() => void share()}>
            Share picture
          </Button>
        )}
        {canCopyPictures() && (
          <Button variant="default" onClick={() => void copy()}>
            Copy picture
          </Button>
        )}
        <Button variant="default" onClick={() => void download()}>
          Download picture
        </Button>
      </div>
    </section>
  );
}

function pngFile(png: Blob): File {
  return new File([png], FILE_NAME, { type: 'image/png' });
}

function canSharePictures(): boolean {
  return 'canShare' in navigator && navigator.canShare({ files: [pngFile(new Blob())] });
}

function canCopyPictures(): boolean {
  return 'ClipboardItem' in window && 'clipboard' in navigator;
}
