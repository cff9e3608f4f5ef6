import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { readNotation } from '@/shared/notation';
import formCard from '@/shared/ui/formCard.module.css';
import { PageHeading } from '@/shared/ui/PageHeading';
import classes from './OpenGamePage.module.css';
import { codeOfNoted } from './practiceRecord';

const EXAMPLE = `[X "ada"]
[O "bob"]
[Result "1-0"]

1. 3x3 X b2 a1 c1 c3 a3
1-0`;

/** Opens the replay of a game that was pasted as text. Nothing is sent to the server. */
export default function OpenGamePage() {
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const navigate = useNavigate();
  const open = (submit: FormEvent) => {
    submit.preventDefault();
    const game = readNotation(text);
    if (typeof game === 'string') setFailure(game);
    else if (game.rounds.length === 0) setFailure('No move was played in this game.');
    else void navigate(`/replay/moves/${codeOfNoted(game)}`, { state: text });
  };
  return (
    <>
      <PageHeading title="Open a game" back={{ to: '/app/practice', label: 'Back to practice' }}>
        Paste a game copied from a replay or saved in an export.
      </PageHeading>
      <form className={`${formCard.card} ${classes.form}`} onSubmit={open} noValidate>
        <Textarea
          label="Notation"
          description="Tags, moves and the result of one game."
          placeholder={EXAMPLE}
          classNames={{ input: classes.text ?? '' }}
          rows={10}
          autoComplete="off"
          spellCheck={false}
          value={text}
          error={failure}
          onChange={(change) => {
            setText(change.currentTarget.value);
            setFailure(null);
          }}
        />
        <Button type="submit" fullWidth>
          Replay
        </Button>
      </form>
    </>
  );
}
