import { LEGAL_UPDATED, PrivacyText } from '@/shared/legal';
import { PublicPage } from './PublicPage';

export default function PrivacyPage() {
  return (
    <PublicPage path="/privacy-policy" heading="Privacy Policy" updated={LEGAL_UPDATED.privacy}>
      <PrivacyText />
    </PublicPage>
  );
}
