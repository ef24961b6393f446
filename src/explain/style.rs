//! The style sheet of the page.

/// Light and dark; no fonts or images from anywhere.
pub(super) const STYLE: &str = "\
:root{--bg:#fbfbf9;--card:#fff;--ink:#1d2126;--soft:#68707a;--line:#e3e4e0;--win:#1f7a4d;\
--c0:#cfe3ff;--c1:#ffe2b8;--c2:#d3f1d4;--c3:#f7d3e6;--c4:#e4dcff;--c5:#cdf0ef;--c6:#f6efb0;--c7:#ffd6cc}
@media(prefers-color-scheme:dark){:root{--bg:#15181c;--card:#1d2126;--ink:#e8e9ea;--soft:#9aa3ad;\
--line:#333a42;--win:#63c996;--c0:#24466f;--c1:#674718;--c2:#27542c;--c3:#63304c;--c4:#423672;\
--c5:#1f5351;--c6:#57501b;--c7:#69362a}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',\
'DejaVu Sans',sans-serif}
main{max-width:1080px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:22px;margin:0 0 2px}h2{font-size:15px;margin:26px 0 8px;color:var(--soft);font-weight:600}
p{margin:4px 0}.soft,small,th{color:var(--soft)}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:20px 24px;\
margin:20px 0}
.source{font-size:21px;line-height:1.6}
mark{color:inherit;border-radius:5px;padding:1px 4px;margin:0 -1px}
mark:empty{padding:0 3px;border-left:2px solid var(--soft)}
.k0{background:var(--c0)}.k1{background:var(--c1)}.k2{background:var(--c2)}.k3{background:var(--c3)}
.k4{background:var(--c4)}.k5{background:var(--c5)}.k6{background:var(--c6)}.k7{background:var(--c7)}
.lock{border-bottom:2px dotted var(--soft)}
ol.answers{list-style:none;margin:0;padding:0}
ol.answers>li{border-top:1px solid var(--line);padding:10px 0}ol.answers>li:first-child{border-top:0}
.head{display:grid;grid-template-columns:34px 1fr auto;gap:8px;align-items:baseline}
.rank{color:var(--soft);font-weight:600}.text{font-size:17px}
.meta{color:var(--soft);font-size:13px;white-space:nowrap;font-variant-numeric:tabular-nums}
.bar{display:inline-block;width:64px;height:7px;border-radius:4px;background:var(--line);margin:0 6px 1px 0}
.bar i{display:block;height:7px;border-radius:4px;background:var(--win)}
details{margin:4px 0 0 42px}summary{cursor:pointer;color:var(--soft);font-size:13px}
table{border-collapse:collapse;font-size:13.5px;margin:6px 0;font-variant-numeric:tabular-nums}
th{font-weight:500;text-align:left}th,td{padding:3px 14px 3px 0;vertical-align:baseline;\
border-bottom:1px solid var(--line)}
td.n,th.n{text-align:right;white-space:nowrap}.keep{white-space:nowrap}tr.used td{font-weight:600}tr.sum td{border-top:2px solid var(--line);\
font-weight:600;border-bottom:0}
.wide{overflow-x:auto}.wrap{max-height:420px;overflow:auto}
.seg{font-size:14px;margin:3px 0;display:flex;flex-wrap:wrap;gap:4px;align-items:baseline}
.seg b{font-weight:500;border:1px solid var(--line);border-radius:5px;padding:0 6px}
.seg b.e{border-color:var(--soft)}.seg .s{width:74px;color:var(--soft);text-align:right;margin-right:6px;\
font-variant-numeric:tabular-nums}
.win .s,.win b.e{color:var(--win);border-color:var(--win)}.tag{color:var(--win);font-size:12.5px}
.cert{border-left:4px solid var(--win);padding:2px 12px}
.short{border-left:4px solid #d08b1e;padding:2px 12px;margin-top:8px}
svg text{font:13px system-ui,'DejaVu Sans',sans-serif;fill:var(--ink)}
svg .w{font-weight:600}svg .a{font-size:12px}svg .line{stroke:var(--soft);fill:none;stroke-width:1;opacity:.55}
svg .node{fill:var(--card);stroke:var(--soft);stroke-width:1.5}
svg .best{stroke:var(--win);stroke-width:2.5;opacity:1}svg rect{stroke:var(--line);fill:var(--card)}
svg rect.best{stroke:var(--win);stroke-width:2}
svg .k0{fill:var(--c0)}svg .k1{fill:var(--c1)}svg .k2{fill:var(--c2)}svg .k3{fill:var(--c3)}
svg .k4{fill:var(--c4)}svg .k5{fill:var(--c5)}svg .k6{fill:var(--c6)}svg .k7{fill:var(--c7)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;font-size:13.5px;margin:6px 0}
dt{font-weight:600}dd{margin:0;color:var(--soft)}
";
