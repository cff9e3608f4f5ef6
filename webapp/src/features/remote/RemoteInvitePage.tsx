import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { GameTerms } from '@/shared/invite/GameTerms';
import { DEFAULT_BOARD_SIZE, useInvite } from '@/shared/invite/useInvite';
import type { PersonSummary } from '@/shared/people/personSummary';
import type { TimeControl } from '@/shared/quickMatch/wish';
import { RecentPeople } from '@/shared/people/RecentPeople';
import { Card } from '@/shared/ui/Card';
import { LinkIcon, SearchIcon } from '@/shared/ui/icons';
import { PageHeading } from '@/shared/ui/PageHeading';
import { toast } from '@/shared/ui/toast';
import classes from './RemoteInvitePage.module.css';
import { SearchResults } from './SearchResults';
import { usePeopleSearch } from '@/shared/people/usePeopleSearch';

type Chosen = PersonSummary & { userId: string };

export default function RemoteInvitePage() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [boardSize, setBoardSize] = useState<number>(DEFAULT_BOARD_SIZE);
  const [clock, setClock] = useState<TimeControl>('none');
  const search = usePeopleSearch(text);
  const { invite, isCreating } = useInvite();

  const create = async (opponent: Chosen | null) => {
    const failure = await invite({ ...(opponent === null ? {} : { opponent }), boardSize, clock });
    if (failure !== null) toast.error(failure);
  };

  return (
    <>
      <PageHeading title="Invite Friend" back={{ to: '/app/practice', label: 'Back to practice' }}>
        Find somebody by name, or share a link with anyone.
      </PageHeading>
      <div className={classes.columns}>
        <Card title="Choose a player">
          <TextInput
            aria-label="Search by username"
            placeholder="Search by username…"
            leftSection={<SearchIcon />}
            leftSectionWidth={44}
            value={text}
            maxLength={40}
            autoComplete="off"
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <p className={classes.hint} role="status">
            {search.hint}
          </p>
          <SearchResults people={search.people} chosen={chosen} onChoose={setChosen} />

          <GameTerms boardSize={boardSize} onBoardSize={setBoardSize} clock={clock} onClock={setClock} />

          <Button disabled={chosen === null || isCreating} onClick={() => void create(chosen)} fullWidth>
            {isCreating ? 'Creating…' : 'Create Game'}
          </Button>
        </Card>
        <div className={classes.side}>
          <Card title="Recent People">
            <RecentPeople
              empty="People you play with appear here."
              disabled={isCreating}
              onPlay={(person) => void create(person)}
            />
          </Card>
          <Card title="Play by link">
            <p className={classes.hint}>Leave the second seat open. The first person to open your link takes it.</p>
            <Button
              variant="default"
              leftSection={<LinkIcon />}
              disabled={isCreating}
              onClick={() => void create(null)}
            >
              Create an invite link
            </Button>
          </Card>
        </div>
      </div>
    </>
  );
}
