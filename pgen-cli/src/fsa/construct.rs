//! How a group becomes an automaton.

use super::source::Source;
use pgen::core::Stop;
use pgen::fsa::{Aligned, Forest, Fsa, Group, MergeParams, MsaParams, Version, align};

impl Source {
    /// Aligns with V4 unless told otherwise.
    pub(crate) fn align_by_default(&mut self) {
        if !self.barzilay_lee {
            self.version.get_or_insert(Version::V4);
        }
    }

    /// Settings of an alignment; none if trees are merged.
    pub(crate) fn alignment(&self) -> pgen::core::Result<Option<MsaParams>> {
        let mut params = match self.version {
            Some(version) => MsaParams::new(version),
            None if self.barzilay_lee => MsaParams::barzilay_lee(),
            None if self.set.is_empty() => return Ok(None),
            None => MsaParams::default(),
        };
        for setting in &self.set {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            params.set(name, value)?;
        }
        Ok(Some(params))
    }

    /// The automaton of some of a group's members.
    pub(crate) fn build(
        &self,
        group: &Group,
        members: &[usize],
        stop: &Stop,
    ) -> pgen::fsa::Result<Fsa> {
        if members.is_empty() {
            return Err(pgen::fsa::Error::EmptyGroup {
                group: group.name.as_str().into(),
            });
        }
        let limits = self.limits();
        let chosen = members.iter().filter_map(|&at| group.members.get(at));
        let Some(msa) = self.alignment()? else {
            let mut params = MergeParams::default();
            params.keyword_check = !self.no_keyword_check;
            params.squeeze = !self.no_squeeze;
            let mut forest = Forest::new(params, &limits);
            chosen
                .into_iter()
                .try_for_each(|member| forest.merge(&member.tree))?;
            return Ok(forest.to_fsa(stop)?.0);
        };
        let cluster: Vec<Aligned> = chosen
            .map(|member| {
                let tags = member
                    .tree
                    .leaves()
                    .map(|leaf| leaf.label().to_owned())
                    .collect();
                let chunks = msa
                    .version
                    .is_syntactic()
                    .then(|| member.chunks(&limits))
                    .transpose()?;
                Ok(Aligned {
                    words: member.normal_words(),
                    syntax: chunks.map(|chunks| (tags, chunks)),
                })
            })
            .collect::<pgen::fsa::Result<_>>()?;
        Ok(align(&cluster, &msa, &limits, stop)?.fsa)
    }
}
