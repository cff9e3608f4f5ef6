import { CookiesText } from '@/shared/legal';
import { PublicPage } from './PublicPage';

export default function CookiesPage() {
  return (
    <PublicPage path="/cookies" heading="Cookies Policy">
      <CookiesText />
    </PublicPage>
  );
}
