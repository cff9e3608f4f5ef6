import { useGetSiteQuery } from '@/api/site';
import { PhoneIcon } from '@/shared/ui/publicIcons';
import { InstallBadge } from './InstallBadge';
import classes from './StoreBadges.module.css';
import { ifKnown } from '@/shared/ui/Loaded';

/** Links to the app stores; without an iOS app, the site can be installed instead. */
export function StoreBadges() {
  const site = ifKnown(useGetSiteQuery());
  return (
    <ul className={classes.badges} aria-label="Apps">
      {site?.iosAppUrl === undefined ? (
        <li>
          <InstallBadge />
        </li>
      ) : (
        <StoreBadge verb="Download for" system="iOS" badge="NEW" address={site.iosAppUrl} />
      )}
      <StoreBadge verb="Coming to" system="Android" badge="SOON" address={site?.androidAppUrl} />
    </ul>
  );
}

interface StoreBadgeProps {
  verb: string;
  system: string;
  badge: string;
  /** Absent if the operator gave none; the badge is not a link then. */
  address: string | undefined;
}

function StoreBadge({ verb, system, badge, address }: StoreBadgeProps) {
  const content = (
    <>
      <PhoneIcon />
      <span className={classes.words}>
        <span>{verb} </span>
        <strong>{system}</strong>
      </span>
      <span className={classes.badge}>{badge}</span>
    </>
  );
  return (
    <li>
      {address === undefined ? (
        <span className={classes.store}>{content}</span>
      ) : (
        <a href={address} className={classes.store}>
          {content}
        </a>
      )}
    </li>
  );
}
