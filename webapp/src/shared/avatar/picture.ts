/** Checks and crops avatar pictures (docs/behaviour/accounts.md#pictures). The server checks them again. */

export const PICTURE_TYPES = ['image/png', 'image/gif', 'image/jpeg'] as const;
/** What the browser reads, in bytes. What is uploaded is cut out of it and far smaller than the server's limit of 5 MiB. */
export const PICTURE_MAX_BYTES = 50 * 1024 * 1024;
/** Pixels per side of the upload: twice the largest size that the server creates. */
export const AVATAR_SIDE = 512;

export const WRONG_TYPE = 'Only png, gif and jpeg pictures can be used.';
export const TOO_LARGE = 'The picture is larger than 50 MiB.';
export const UNREADABLE = 'The picture is damaged or incomplete.';

/** A part of a picture, in its pixels. */
export interface Square {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Why the file cannot be an avatar; null if none is known yet. */
export function pictureError({ type, size }: { type: string; size: number }): string | null {
  if (!PICTURE_TYPES.some((allowed) => allowed === type)) return WRONG_TYPE;
  return size > PICTURE_MAX_BYTES ? TOO_LARGE : null;
}

/** The file as a `data:` URL: the content security policy allows no other kind for local pictures. */
export function readPicture(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(new Error(UNREADABLE)));
    reader.readAsDataURL(file);
  });
}

/** Cuts the square out of the picture: png when it may be transparent, else jpeg. Animations are lost. */
export async function cutSquare(source: string, { x, y, width, height }: Square): Promise<Blob> {
  const image = new Image();
  image.src = source;
  await image.decode().catch(() => {
    throw new Error(UNREADABLE);
  });
  const canvas = document.createElement('canvas');
  canvas.width = AVATAR_SIDE;
  canvas.height = AVATAR_SIDE;
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new Error(UNREADABLE);
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(image, x, y, width, height, 0, 0, AVATAR_SIDE, AVATAR_SIDE);
  const type = source.startsWith('data:image/jpeg') ? 'image/jpeg' : 'image/png';
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error(UNREADABLE)) : resolve(blob)), type, 0.92);
  });
}
