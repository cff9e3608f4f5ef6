import { PrivacyText } from '@/shared/legal';
import { PublicPage } from './PublicPage';

export default function PrivacyPage() {
  return (
    <PublicPage path="/privacy-policy" heading="Privacy Policy">
      <PrivacyText />
    </PublicPage>
  );
}
