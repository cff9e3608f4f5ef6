import 'react-easy-crop/react-easy-crop.css';
import { Button, Modal, Slider } from '@mantine/core';
import { useRef, useState } from 'react';
import Cropper, { type Area, type Point } from 'react-easy-crop';
import { useReturnFocus } from '../ui/useReturnFocus';
import dialog from '../ui/dialog.module.css';
import classes from './CropDialog.module.css';
import { cutSquare, UNREADABLE } from './picture';

const MAX_ZOOM = 4;
/** Pixels that an arrow key moves the picture; a fifth with Shift. */
const KEY_STEP = 10;

interface CropDialogProps {
  /** The picture as a `data:` URL. */
  source: string;
  isSaving: boolean;
  onCut: (picture: Blob) => void;
  onFail: (message: string) => void;
  onClose: () => void;
}

/** Selects the square for the avatar by dragging, zooming or the arrow keys. */
export default function CropDialog({ source, isSaving, onCut, onFail, onClose }: CropDialogProps) {
  useReturnFocus();
  const [crop, setCrop] = useState<Point>({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const square = useRef<Area | null>(null);

  const cut = async () => {
    if (square.current === null) return;
    try {
      onCut(await cutSquare(source, square.current));
    } catch {
      onFail(UNREADABLE);
    }
  };

  return (
    <Modal opened onClose={onClose} title="Crop your picture" closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={dialog.body}>
        <div className={classes.picture}>
          <Cropper
            image={source}
            crop={crop}
            zoom={zoom}
            maxZoom={MAX_ZOOM}
            aspect={1}
            cropShape="round"
            showGrid={false}
            keyboardStep={KEY_STEP}
            disableAutomaticStylesInjection
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_percent, pixels) => (square.current = pixels)}
            mediaProps={{ alt: '', onError: () => onFail(UNREADABLE) }}
            cropperProps={{ role: 'group', 'aria-label': 'Visible part: move it with the arrow keys' }}
          />
        </div>
        <div>
          <span className={classes.label} aria-hidden="true">
            Zoom
          </span>
          <Slider
            thumbLabel="Zoom"
            min={1}
            max={MAX_ZOOM}
            step={0.1}
            value={zoom}
            onChange={setZoom}
            label={null}
            size="lg"
            thumbSize={28}
          />
        </div>
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose} disabled={isSaving}>
            Cancel
          </Button>
          <Button onClick={() => void cut()} loading={isSaving}>
            Use this picture
          </Button>
        </div>
      </div>
    </Modal>
  );
}
