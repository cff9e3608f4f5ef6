// Runs in the head before anything is painted: a missing or unreadable value means light.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('morpion_theme');
  } catch {
    // Storage may be disabled; light then.
  }
  document.documentElement.setAttribute('data-mantine-color-scheme', stored === 'dark' ? 'dark' : 'light');
})();
