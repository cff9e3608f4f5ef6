import { Button } from '@mantine/core';
import { useState } from 'react';
import { searchStarted } from '@/shared/quickMatch/quickMatchSlice';
import {
  boardText,
  CLOCK_TEXTS,
  readWish,
  rememberWish,
  type Wish,
  WISH_CLOCKS,
  WISH_SIZES,
} from '@/shared/quickMatch/wish';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import { Choice } from '@/shared/ui/Choice';
import { OwnRating } from './OwnRating';
import classes from './QuickMatchPage.module.css';

const GUESTS_NOTE = 'Rated games need an account. Your games come with you when you register.';

/** Board, clock and kind of game; the last choice of this browser is set. */
export function WishForm() {
  const dispatch = useAppDispatch();
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  const [chosen, setChosen] = useState<Wish>(readWish);
  const wish = isGuest ? { ...chosen, rated: false } : chosen;
  const search = () => {
    rememberWish(chosen);
    dispatch(searchStarted(wish));
  };
  return (
    <div className={classes.form}>
      <Choice
        legend="Board"
        value={wish.boardSize}
        onChange={(boardSize) => setChosen({ ...chosen, boardSize })}
        options={WISH_SIZES.map((size) => ({ value: size, label: boardText(size) }))}
      />
      <Choice
        legend="Clock"
        value={wish.clock}
        onChange={(clock) => setChosen({ ...chosen, clock })}
        options={WISH_CLOCKS.map((clock) => ({ value: clock, ...CLOCK_TEXTS[clock] }))}
      />
      {isGuest ? (
        <p className={classes.hint}>{GUESTS_NOTE}</p>
      ) : (
        <Choice
          legend="Kind of game"
          value={wish.rated ? 'rated' : 'casual'}
          onChange={(kind) => setChosen({ ...chosen, rated: kind === 'rated' })}
          options={[
            { value: 'rated', label: 'Rated', detail: 'Changes your rating; others may watch' },
            { value: 'casual', label: 'Casual', detail: 'Between the two of you' },
          ]}
        />
      )}
      {wish.rated && <OwnRating />}
      <Button size="lg" className={classes.find ?? ''} onClick={search}>
        Find an opponent
      </Button>
    </div>
  );
}
